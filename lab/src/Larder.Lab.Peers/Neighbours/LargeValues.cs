using System.Diagnostics;
using Larder.Client;

namespace Larder.Lab.Peers.Neighbours;

/// <summary>Writes one large value per second and reads it again, until stopped. If this takes longer than a second, the next value is delayed.</summary>
internal sealed class LargeValues : IAsyncDisposable
{
    /// <summary>5 MB, the largest value that a server accepts (required by N10 in <c>docs/faults.md</c>).</summary>
    public const int Bytes = 5_000_000;

    private static readonly TimeSpan s_every = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan s_ttl = TimeSpan.FromMinutes(10);

    private readonly CancellationTokenSource _stop = new();
    private readonly byte[] _value = new byte[Bytes];
    private readonly List<double> _milliseconds = [];
    private readonly Cache _cache;
    private readonly Task _running;

    /// <summary>Starts writing and reading.</summary>
    public LargeValues(Cache cache)
    {
        _cache = cache;
        new Random(1).NextBytes(_value);
        _running = Task.Run(RunAsync);
    }

    /// <summary>Gets the number of values written and read so far.</summary>
    public int Count => _milliseconds.Count;

    /// <summary>Gets the longest time for writing and reading a value, in ms.</summary>
    public double SlowestMs => _milliseconds.DefaultIfEmpty().Max();

    /// <summary>Gets the number of values that could not be written, could not be read, or differed from the written value when they were read.</summary>
    public int Failures { get; private set; }

    /// <summary>Stops after the current value.</summary>
    public async ValueTask DisposeAsync()
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _running.ConfigureAwait(false);
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        using var timer = new PeriodicTimer(s_every);
        try
        {
            do
            {
                long begun = Stopwatch.GetTimestamp();
                CacheResult set = await _cache.SetAsync("large", _value, s_ttl).ConfigureAwait(false);
                LookupResult<CacheValue> got = await _cache.GetAsync("large").ConfigureAwait(false);
                Failures += set.IsSuccess && got.IsHit && got.Value.Span.SequenceEqual(_value) ? 0 : 1;
                _milliseconds.Add(Stopwatch.GetElapsedTime(begun).TotalMilliseconds);
            }
            while (await timer.WaitForNextTickAsync(_stop.Token).ConfigureAwait(false));
        }
        catch (OperationCanceledException)
        {
            // The client was stopped.
        }
    }
}
