using System.Diagnostics.Metrics;

namespace Larder.Agent;

/// <summary>
/// Measures latencies from the moment when a call gets a permit of the concurrency limit to the end of the call. The wait for the permit is not included. The
/// source is the client's own metric, <c>cache.client.wire.duration</c>. Each thread has its own histogram.
/// </summary>
internal sealed class LoadWire : IDisposable
{
    private const string Instrument = "cache.client.wire.duration";

    private readonly ThreadLocal<LoadHistogram> _histograms = new(() => new LoadHistogram(), trackAllValues: true);
    private readonly MeterListener _listener = new();

    /// <summary>Starts listening. Measurements that arrive while <paramref name="counts"/> returns false are ignored.</summary>
    public LoadWire(Func<bool> counts)
    {
        _listener.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Name == Instrument)
            {
                listener.EnableMeasurementEvents(instrument);
            }
        };
        _listener.SetMeasurementEventCallback<double>((_, seconds, _, _) =>
        {
            if (counts())
            {
                _histograms.Value!.Record((long)(seconds * 1e9));
            }
        });
        _listener.Start();
    }

    /// <summary>Returns the sum over all threads, or null if the client reported nothing.</summary>
    public LoadHistogram? Sum()
    {
        var sum = new LoadHistogram();
        foreach (LoadHistogram histogram in _histograms.Values)
        {
            sum.Add(histogram);
        }

        return sum.Total == 0 ? null : sum;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _listener.Dispose();
        _histograms.Dispose();
    }
}
