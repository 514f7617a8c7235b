from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('filings', '0002_text'),
    ]

    operations = [
        migrations.CreateModel(
            name='Health',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('subject', models.CharField(help_text='As index.', max_length=40, unique=True)),
                ('state', models.CharField(choices=[('ok', 'Works'), ('degraded', 'Works in part'), ('down', 'Does not work')], max_length=10)),
                ('detail', models.CharField(blank=True, help_text='A sentence for people, without address or key.', max_length=300)),
                ('data', models.JSONField(blank=True, default=dict, help_text='Figures, by name.')),
                ('checked', models.DateTimeField()),
            ],
            options={
                'verbose_name_plural': 'health',
                'ordering': ['subject'],
            },
        ),
        migrations.CreateModel(
            name='Tally',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('labels', models.CharField(blank=True, help_text='A JSON object, its keys in order.', max_length=190)),
                ('value', models.FloatField(default=0)),
            ],
            options={
                'ordering': ['name', 'labels'],
                'constraints': [models.UniqueConstraint(fields=('name', 'labels'), name='tally_once')],
            },
        ),
    ]
