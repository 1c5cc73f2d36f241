namespace Larder.Agent;

/// <summary>One concurrent caller of a <c>near</c> run. A caller that is a peeker only reads from the near cache.</summary>
internal sealed class NearCaller(NearRun run, int number, bool isPeeker)
{
    private const int BatchKeys = 4;

    // The pause after a failed call. Without a pause, a caller whose calls fail synchronously would never release its thread.
    private static readonly TimeSpan s_afterFailure = TimeSpan.FromMilliseconds(10);

    private readonly NearSettings _settings = run.Settings;
    private readonly LoadHistogram _histogram = new();
    private LoadRandom _random = new(run.Settings.Seed, number + (run.Settings.Index * 1_000L));

    /// <summary>Makes calls until the run is over.</summary>
    public async Task RunAsync()
    {
        while (!run.IsOver)
        {
            for (int i = 0; i < _settings.Burst && !run.IsOver; i++)
            {
                if (!await CallAsync().ConfigureAwait(false))
                {
                    await Task.Delay(s_afterFailure).ConfigureAwait(false);
                }
            }

            await PauseAsync().ConfigureAwait(false);
        }

        run.Add(_histogram);
    }

    private async Task PauseAsync()
    {
        if (_settings.Pause > TimeSpan.Zero)
        {
            await Task.Delay(_settings.Pause).ConfigureAwait(false);
        }
        else
        {
            await Task.Yield();
        }
    }

    private async ValueTask<bool> CallAsync()
    {
        int key = run.Chooser.Next(ref _random);
        if (isPeeker)
        {
            NearCalls.TryGetNear(run, key);
            return true;
        }

        if (_settings.Index >= 0 && _random.Unit() < _settings.WriteShare)
        {
            return await WriteAsync(run.OwnNear(key)).ConfigureAwait(false);
        }

        if (_random.Unit() < _settings.PlainShare)
        {
            return _random.Below(2) == 0
                ? await NearCalls.GetWithHashAsync(run, key).ConfigureAwait(false)
                : await NearCalls.GetBatchAsync(run, [.. Enumerable.Range(0, BatchKeys).Select(_ => run.Chooser.Next(ref _random))]).ConfigureAwait(false);
        }

        long began = NearRun.NowNs();
        bool isWell = (_random.Below(2) == 0 && NearCalls.TryGetNear(run, key)) || await NearCalls.GetAsync(run, key).ConfigureAwait(false);
        if (run.IsMeasuring)
        {
            _histogram.Record(NearRun.NowNs() - began);
        }

        return isWell;
    }

    // Writes one or more keys. One fifth of the calls set a key and request its hash. Another fifth of the calls write several keys as a batch.
    private async ValueTask<bool> WriteAsync(int key)
    {
        switch (_random.Below(5))
        {
            case 0:
                return await NearCalls.WriteAsync(run, key, withHash: true).ConfigureAwait(false) ?? true;
            case 1:
                int[] keys = [.. Enumerable.Range(0, BatchKeys).Select(_ => run.OwnNear(run.Chooser.Next(ref _random))).Distinct()];
                await NearCalls.SetBatchAsync(run, keys).ConfigureAwait(false);
                return true;
            default:
                return await NearCalls.WriteAsync(run, key, withHash: false).ConfigureAwait(false) ?? true;
        }
    }
}
