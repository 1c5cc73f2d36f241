using Microsoft.Extensions.Logging;

namespace Larder.Client.Leases;

/// <summary>
/// One getOrCreate with a lease: of all processes one makes the value. What its callers in this process share is <see cref="SharedCreation"/>.
/// </summary>
internal sealed class LeasedCreation(
    LeaseCalls calls,
    CacheBytes key,
    Func<CancellationToken, ValueTask<byte[]>> factory,
    GetOrCreateOptions options,
    ExpiryPolicy times,
    ValueCheck? check,
    BackgroundLoads background,
    ILogger logger,
    LogRateLimiter failures)
{
    // Between two questions while somebody else loads: a question holds no permit while it waits, as one that waited at the server would.
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(100);

    private readonly CacheBytes[] _tags = [.. options.Tags];

    /// <summary>What the cache has, or is made.</summary>
    /// <exception cref="OperationCanceledException">Nobody waits any more.</exception>
    public async Task<GetOrCreateResponse> RunAsync(CancellationToken abandoned)
    {
        TimeSpan pause = FirstPause;
        while (true)
        {
            // Not cancelled: the lease in its answer would then be nobody's until its time is over.
            LeaseAnswer answer = await calls.GetOrLeaseAsync(key, (uint)Math.Max(options.Lease.TotalMilliseconds, 1)).ConfigureAwait(false);
            if (abandoned.IsCancellationRequested)
            {
                await calls.ReleaseAsync(key, answer.Held).ConfigureAwait(false);
                abandoned.ThrowIfCancellationRequested();
            }

            if (await AnswerAsync(answer, abandoned).ConfigureAwait(false) is { } response)
            {
                return response;
            }

            await Task.Delay(pause * (0.75 + (Random.Shared.NextDouble() / 2)), abandoned).ConfigureAwait(false);
            pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        }
    }

    // Null: somebody else loads, and there is nothing to be served meanwhile.
    private async ValueTask<GetOrCreateResponse?> AnswerAsync(LeaseAnswer answer, CancellationToken abandoned)
    {
        switch (answer)
        {
            case LeaseAnswer.Hit hit:
                return IsUsable(hit.Value, out object? read)
                    ? new GetOrCreateResponse.Hit(hit.Value) { Read = read }
                    : await ReplaceAsync(abandoned).ConfigureAwait(false);
            case LeaseAnswer.Granted lease:
                return await LoadAsync(lease.Token, stale: null, abandoned).ConfigureAwait(false);
            case LeaseAnswer.Failed failed:
                return await LoadWithoutAsync(failed.Failure, abandoned).ConfigureAwait(false);
            case LeaseAnswer.Stale stale:
                return await AnswerAsync(stale, abandoned).ConfigureAwait(false);
            default:
                return null;
        }
    }

    private async ValueTask<GetOrCreateResponse?> AnswerAsync(LeaseAnswer.Stale stale, CancellationToken abandoned)
    {
        bool isLeased = stale.Token.Length > 0;
        if (!IsUsable(stale.Value, out object? read))
        {
            return isLeased ? await LoadAsync(stale.Token, stale: null, abandoned).ConfigureAwait(false) : null;
        }

        StaleUse use = times.Read(stale.Expired, isLeased);
        if (isLeased && (use is StaleUse.Hit or StaleUse.Stale))
        {
            Refresh(stale.Token);
        }

        GetOrCreateResponse.Stale late = new(stale.Value, times.PastOf(stale.Expired)) { Read = read };
        return use switch
        {
            StaleUse.Hit => new GetOrCreateResponse.Hit(stale.Value) { Read = read },
            StaleUse.Stale => late,
            StaleUse.Load => await LoadAsync(stale.Token, stale: null, abandoned).ConfigureAwait(false),
            StaleUse.LoadOrStale => await LoadAsync(stale.Token, late, abandoned).ConfigureAwait(false),
            _ => null,
        };
    }

    // Stale: what is answered where the factory throws, or takes longer than the soft timeout.
    private async Task<GetOrCreateResponse> LoadAsync(byte[] token, GetOrCreateResponse.Stale? stale, CancellationToken abandoned)
    {
        if (stale is null)
        {
            return await MakeAsync(token, abandoned).ConfigureAwait(false);
        }

        // The load's own: where it is not waited for, it goes on.
        CancellationTokenSource given = new();
        CancellationTokenRegistration tie = abandoned.UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), given);
        Task<GetOrCreateResponse> load = MakeAsync(token, given.Token);
        try
        {
            if (options.SoftTimeout is not { } patience || await IsOverAsync(load, patience, abandoned).ConfigureAwait(false))
            {
                return await load.ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (!abandoned.IsCancellationRequested)
        {
            Log.ServedStale(logger, exception, calls.Cache);
            return stale;
        }
        finally
        {
            await tie.DisposeAsync().ConfigureAwait(false);
        }

        Log.NotAwaited(logger, calls.Cache);
        _ = TellAsync(load);
        return stale;
    }

    // False: it takes longer, and is still waited for by somebody.
    private static async ValueTask<bool> IsOverAsync(Task load, TimeSpan patience, CancellationToken abandoned)
    {
        await load.WaitAsync(patience, abandoned).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return load.IsCompleted || abandoned.IsCancellationRequested;
    }

    private async Task<GetOrCreateResponse> MakeAsync(byte[] token, CancellationToken abandoned)
    {
        byte[] value;
        ulong ttlMs;
        try
        {
            value = await FactoryInvoker.MakeAsync(factory, options.HardTimeout, abandoned).ConfigureAwait(false);
            ttlMs = times.TtlOf(value);
        }
        catch
        {
            await calls.ReleaseAsync(key, token).ConfigureAwait(false);
            throw;
        }

        CacheError? failure = await StoreAsync(value, ttlMs, token, abandoned).ConfigureAwait(false);
        if (failure is not null)
        {
            // The others are not to wait for what does not come.
            await calls.ReleaseAsync(key, token).ConfigureAwait(false);
        }

        return FactoryInvoker.Answer(value, calls.Cache, failure, logger, failures);
    }

    // In the place of a value that is of no use to anybody here, for which there is no lease; or where the server has its most.
    private async Task<GetOrCreateResponse> ReplaceAsync(CancellationToken abandoned)
    {
        byte[] value = await FactoryInvoker.MakeAsync(factory, options.HardTimeout, abandoned).ConfigureAwait(false);
        CacheError? failure = await StoreAsync(value, times.TtlOf(value), [], abandoned).ConfigureAwait(false);
        return FactoryInvoker.Answer(value, calls.Cache, failure, logger, failures);
    }

    // Without a lease: the cache cannot be reached, has its most leases, or has no such call.
    private async Task<GetOrCreateResponse> LoadWithoutAsync(CacheError failure, CancellationToken abandoned)
    {
        if (failure.Code == CacheErrorCode.LimitExceeded)
        {
            return await ReplaceAsync(abandoned).ConfigureAwait(false);
        }

        byte[] value = await FactoryInvoker.MakeAsync(factory, options.HardTimeout, abandoned).ConfigureAwait(false);

        // A server that knows no tags would keep what is to be removed by them.
        CacheError? notStored = failure.Code == CacheErrorCode.Unknown && _tags.Length == 0
            ? await SetAsync(value, abandoned).ConfigureAwait(false)
            : failure;
        return FactoryInvoker.Answer(value, calls.Cache, notStored, logger, failures);
    }

    private void Refresh(byte[] token)
    {
        if (background.TryBegin())
        {
            _ = MakeAnewAsync();
        }
        else
        {
            Log.RefreshPutOff(logger, calls.Cache, BackgroundLoads.Most);
            _ = calls.ReleaseAsync(key, token).AsTask();
        }

        async Task MakeAnewAsync()
        {
            await TellAsync(Task.Run(() => MakeAsync(token, CancellationToken.None))).ConfigureAwait(false);
            background.Ended();
        }
    }

    // Of a load that nobody waits for.
    private async Task TellAsync(Task load)
    {
        try
        {
            await load.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            // Whoever asks next tries again.
            Log.NotRefreshed(logger, exception, calls.Cache);
        }
    }

    private bool IsUsable(byte[] value, out object? read)
    {
        read = null;
        return check is null || check(value, out read);
    }

    private ValueTask<CacheError?> StoreAsync(byte[] value, ulong ttlMs, byte[] token, CancellationToken abandoned)
    {
        (ulong storedMs, ulong staleMs) = times.Stored(ttlMs, Random.Shared.NextDouble());
        return calls.StoreAsync(key, value, storedMs, staleMs, token, _tags, abandoned);
    }

    private ValueTask<CacheError?> SetAsync(byte[] value, CancellationToken abandoned) =>
        calls.SetAsync(key, value, times.Jittered(times.TtlOf(value), Random.Shared.NextDouble()), abandoned);
}
