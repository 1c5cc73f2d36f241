using Larder.Client;
using OpenTelemetry.Logs;
using OpenTelemetry.Metrics;
using OpenTelemetry.Trace;

WebApplicationBuilder builder = WebApplication.CreateBuilder(args);
builder.Services.AddOpenTelemetry()
    .WithTracing(traces => traces.AddSource("Larder").AddAspNetCoreInstrumentation().AddOtlpExporter())
    .WithMetrics(metrics => metrics.AddMeter("Larder").AddOtlpExporter());
builder.Logging.AddOpenTelemetry(logs => logs.AddOtlpExporter());
builder.Services.AddLarderCache(builder.Configuration.GetSection("Larder"));

WebApplication app = builder.Build();
app.MapGet("/visits", async (CacheClient client) => await client.Cache("cache").IncrementAsync("visits") switch
{
    { IsSuccess: true } counted => $"{counted.Value} visits",
    { Error: { } error } => error.Message,
    _ => "",
});
app.Run();
