using System.Diagnostics.Metrics;

namespace Larder.Agent;

/// <summary>
/// Latency from a call's permit to its end, without its waiting for the cap, as the client's own telemetry tells it
/// (<c>cache.client.wire.duration</c>). Each thread counts for itself.
/// </summary>
internal sealed class LoadWire : IDisposable
{
    private const string Instrument = "cache.client.wire.duration";

    private readonly ThreadLocal<LoadHistogram> _histograms = new(() => new LoadHistogram(), trackAllValues: true);
    private readonly MeterListener _listener = new();

    /// <summary>Begins to listen; what ends while <paramref name="counts"/> does not hold is not counted.</summary>
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

    /// <summary>What was counted; null where the client told nothing.</summary>
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
