using System.Diagnostics;
using System.Diagnostics.Metrics;
using Larder.Client.Tests.Support;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Tests;

public sealed class HostileListenerTests
{
    [Fact]
    public async Task Client_connects_and_calls_succeed_when_the_logger_throws()
    {
        using ThrowingLogger logs = new();
        RunningServer first = await RunningServer.StartAsync();
        int port = first.Port;
        await first.DisposeAsync();
        await using CacheClient client = new(
            Configurations.Laptop.V1() with
            {
                RequestTimeout = TimeSpan.FromMilliseconds(300),
            },
            CredentialProvider.Local(port: port),
            TimeSpan.FromMinutes(1),
            logs);
        Expect.Error(await Eventually.Within(client.Cache("cache").GetAsync("k")));
        await using RunningServer second = await RunningServer.SucceedAsync(port);
        await Eventually.Holds(() => client.Cache("cache").GetAsync("k").AsTask().GetAwaiter().GetResult() is { IsMiss: true }, "an answer");
        Assert.True(logs.Thrown > 0);
        Assert.Equal((0, 0), (client.InFlight, client.Queued));
    }

    [Fact]
    public async Task Throwing_meter_or_span_listener_does_not_fail_calls()
    {
        await using TestClient test = new(Configurations.Laptop.V1());
        string only = "hostile " + Guid.NewGuid();
        using Activity parent = new Activity(only).Start();
        using ActivityListener spans = new()
        {
            ShouldListenTo = static source => source.Name == "Larder",
            Sample = (ref ActivityCreationOptions<ActivityContext> options) =>
                options.Parent.TraceId == parent.TraceId ? throw new InvalidOperationException("hostile") : ActivitySamplingResult.None,
        };
        ActivitySource.AddActivityListener(spans);
        using MeterListener meters = new()
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Meter.Name == "Larder")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        int thrown = 0;
        meters.SetMeasurementEventCallback<double>((_, _, _, _) => Throw());
        meters.SetMeasurementEventCallback<long>((_, _, _, _) => Throw());
        meters.Start();
        for (int call = 0; call < 100; call++)
        {
            ValueTask<LookupResult<CacheValue>> get = test.Cache.GetAsync("k");
            test.Transport.Answer(TestClient.Found("v"));
            Expect.Hit(await Eventually.Within(get));
        }

        Assert.True(thrown >= 100);
        Assert.Equal((0, 0), (test.Client.InFlight, test.Client.Queued));

        void Throw()
        {
            Interlocked.Increment(ref thrown);
            throw new InvalidOperationException("hostile");
        }
    }

    [Theory]
    [InlineData(2, 1)]
    [InlineData(0, 3)]
    public async Task Metrics_count_hits_and_misses_of_batches_and_hashes(int hits, int misses)
    {
        long hit = 0, missed = 0;
        await using RunningServer server = await RunningServer.StartAsync();
        await using CacheClient client = server.Connect(Configurations.Laptop.V1());
        using MeterListener meters = new()
        {
            InstrumentPublished = static (instrument, listener) =>
            {
                if (instrument.Name is "cache.hits" or "cache.misses")
                {
                    listener.EnableMeasurementEvents(instrument);
                }
            },
        };
        meters.SetMeasurementEventCallback<long>(
            (instrument, count, _, _) =>
            {
                if (ReferenceEquals(instrument.Meter, client.Telemetry.Meter))
                {
                    Interlocked.Add(ref instrument.Name == "cache.hits" ? ref hit : ref missed, count);
                }
            });
        meters.Start();
        CacheBytes[] keys = [.. Enumerable.Range(0, hits + misses).Select(static n => $"k{n}")];
        await client.Cache("cache").SetBatchAsync([.. keys.Take(hits).Select(static key => new SetBatchItem(key, "v"))]);
        await client.Cache("cache").GetBatchAsync(keys);
        Assert.Equal((hits, misses), (Volatile.Read(ref hit), Volatile.Read(ref missed)));
        await client.Cache("cache").GetWithHashAsync("k0");
        Assert.Equal(hits + misses + 1, Volatile.Read(ref hit) + Volatile.Read(ref missed));
    }

    private sealed class ThrowingLogger : ILoggerFactory, ILogger
    {
        private int _thrown;

        public int Thrown => Volatile.Read(ref _thrown);

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public ILogger CreateLogger(string categoryName) => this;

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter)
        {
            Interlocked.Increment(ref _thrown);
            throw new InvalidOperationException("hostile");
        }

        public void Dispose()
        {
        }
    }
}
