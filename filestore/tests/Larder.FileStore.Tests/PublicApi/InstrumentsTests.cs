using System.Diagnostics.Metrics;

namespace Larder.FileStore.Tests;

/// <summary>
/// These tests must not run concurrently with others, because the meter is shared by the whole process. Observing its gauges makes each open cache read new
/// lines. This would break a concurrent test whose cache must have unread lines.
/// </summary>
[Collection(nameof(SequentialTests))]
public sealed class InstrumentsTests : IDisposable
{
    private readonly ScratchFolder _folder = new();

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Meter_counts_hits_misses_writes_and_entries()
    {
        using DistributedFileStoreCacheString cache = _folder.Open();
        Dictionary<string, long> seen = [];
        using MeterListener listener = new();
        listener.InstrumentPublished = (instrument, l) =>
        {
            if (instrument.Meter.Name == "Larder.FileStore")
            {
                l.EnableMeasurementEvents(instrument);
            }
        };
        listener.SetMeasurementEventCallback<long>((instrument, value, tags, _) =>
        {
            lock (seen)
            {
                seen[instrument.Name] = seen.GetValueOrDefault(instrument.Name) + value;
            }
        });
        listener.Start();
        cache.Set("key", "value");
        cache.Get("key");
        cache.Get("none");
        listener.RecordObservableInstruments();
        lock (seen)
        {
            Assert.True(seen["cache.hits"] >= 1);
            Assert.True(seen["cache.misses"] >= 1);
            Assert.True(seen["cache.writes"] >= 1);
            Assert.True(seen["cache.entries"] >= 1);
        }
    }
}
