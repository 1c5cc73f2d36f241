using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace Larder.Client.Leases;

/// <summary>
/// One get-or-create with a lease. The lease ensures that only one process creates the value at a time. <see cref="SharedCreation"/> shares the result among
/// the callers in this process.
/// </summary>
internal sealed class LeasedCreation(
    LeaseCalls calls,
    CacheBytes key,
    ItemFactory factory,
    GetOrCreateOptions options,
    ExpiryPolicy times,
    ValueCheck? check,
    BackgroundLoads background,
    ILogger logger,
    LogRateLimiter failures)
{
    // The first and the longest pause between two requests while another process loads the value. The client polls because no permit is in use during a pause.
    // A request that waits at the server would use a permit for the whole wait.
    private static readonly TimeSpan FirstPause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(100);

    private readonly CacheBytes[] _tags = [.. options.Tags];

    // The timestamp of the first response, from which the soft timeout counts. 0 before.
    private long _answeredAt;

    /// <summary>Returns the cached or the created value.</summary>
    /// <exception cref="OperationCanceledException">All callers have stopped waiting.</exception>
    public async Task<CreatedBytes> RunAsync(CancellationToken abandoned)
    {
        TimeSpan pause = FirstPause;
        while (true)
        {
            // This request is not cancelled when the callers cancel. Otherwise the server might grant a lease whose token no one receives, and other processes
            // would wait until the lease times out.
            LeaseAnswer answer = await calls.GetOrLeaseAsync(key, (uint)Math.Max(options.Lease.TotalMilliseconds, 1)).ConfigureAwait(false);
            _answeredAt = _answeredAt == 0 ? Stopwatch.GetTimestamp() : _answeredAt;
            if (abandoned.IsCancellationRequested)
            {
                await calls.ReleaseAsync(key, answer.Held).ConfigureAwait(false);
                abandoned.ThrowIfCancellationRequested();
            }

            if (await AnswerAsync(answer, abandoned).ConfigureAwait(false) is { } response)
            {
                return response;
            }

            // The next response may contain a stale value that the caller gets after the soft timeout.
            TimeSpan next = pause * (0.75 + (Random.Shared.NextDouble() / 2));
            TimeSpan rest = SoftTimeoutLeft ?? next;
            await Task.Delay(rest > TimeSpan.Zero && rest < next ? rest : next, abandoned).ConfigureAwait(false);
            pause = pause * 2 < LongestPause ? pause * 2 : LongestPause;
        }
    }

    // Gets the remaining time of the soft timeout, at least 0, or null if there is no soft timeout.
    private TimeSpan? SoftTimeoutLeft => options.SoftTimeout is not { } softTimeout ? null
        : softTimeout - Stopwatch.GetElapsedTime(_answeredAt) is var left && left > TimeSpan.Zero ? left
        : TimeSpan.Zero;

    // Returns the result for a response of the server. Returns null if another caller is loading the value and there is no stale value to return. The caller
    // then polls again.
    private async ValueTask<CreatedBytes?> AnswerAsync(LeaseAnswer answer, CancellationToken abandoned)
    {
        switch (answer)
        {
            case LeaseAnswer.Hit hit:
                return IsUsable(hit.Value, out object? read)
                    ? CreatedBytes.Hit(hit.Value, read)
                    : await ReplaceAsync(abandoned).ConfigureAwait(false);
            case LeaseAnswer.Granted lease:
                return await LoadAsync(lease.Token, stale: null, known: null, abandoned).ConfigureAwait(false);
            case LeaseAnswer.Failed failed:
                return await LoadWithoutAsync(failed.Failure, abandoned).ConfigureAwait(false);
            case LeaseAnswer.Stale stale:
                return await AnswerAsync(stale, abandoned).ConfigureAwait(false);
            default:
                return null;
        }
    }

    private async ValueTask<CreatedBytes?> AnswerAsync(LeaseAnswer.Stale stale, CancellationToken abandoned)
    {
        bool isLeased = stale.Token.Length > 0;
        if (!IsUsable(stale.Value, out object? read))
        {
            return isLeased ? await LoadAsync(stale.Token, stale: null, known: null, abandoned).ConfigureAwait(false) : null;
        }

        StaleUse use = times.Read(stale.Expired, isLeased);

        // The factory gets a copy, because the callers may change the bytes that are returned to them.
        StaleItem? known = isLeased && factory.UsesStale ? new([.. stale.Value], stale.Validator) : null;
        if (isLeased && (use is StaleUse.Hit or StaleUse.Stale))
        {
            Refresh(stale.Token, known);
        }

        CreatedBytes late = CreatedBytes.Stale(stale.Value, times.PastOf(stale.Expired), read);
        return use switch
        {
            StaleUse.Hit => CreatedBytes.Hit(stale.Value, read),
            StaleUse.Stale => late,
            StaleUse.Load => await LoadAsync(stale.Token, stale: null, known, abandoned).ConfigureAwait(false),
            StaleUse.LoadOrStale => await LoadAsync(stale.Token, late, known, abandoned).ConfigureAwait(false),
            StaleUse.WaitOrStale when SoftTimeoutLeft <= TimeSpan.Zero => late,
            _ => null,
        };
    }

    // Creates the value with a lease. If stale is not null, returns it when the factory throws or exceeds the soft timeout. The factory's context contains the
    // stale value known, even if it is too old to be returned.
    private async Task<CreatedBytes> LoadAsync(byte[] token, CreatedBytes? stale, StaleItem? known, CancellationToken abandoned)
    {
        if (stale is null)
        {
            return await MakeAsync(token, known, abandoned).ConfigureAwait(false);
        }

        // The load has its own cancellation token, because it continues after the soft timeout, when its callers no longer wait for it.
        CancellationTokenSource given = new();
        CancellationTokenRegistration tie = abandoned.UnsafeRegister(static source => ((CancellationTokenSource)source!).Cancel(), given);
        Task<CreatedBytes> load = MakeAsync(token, known, given.Token);
        try
        {
            if (SoftTimeoutLeft is not { } rest || await IsOverAsync(load, rest, abandoned).ConfigureAwait(false))
            {
                return await load.ConfigureAwait(false);
            }
        }
        catch (Exception exception) when (!abandoned.IsCancellationRequested && exception is not UnstorableValueException)
        {
            Log.ServedStale(logger, exception, calls.Cache);
            return stale;
        }
        finally
        {
            await tie.DisposeAsync().ConfigureAwait(false);
        }

        if (background.TryBegin())
        {
            Log.NotAwaited(logger, calls.Cache);
            _ = EndInBackgroundAsync(load);
        }
        else
        {
            // The factory may ignore the token, so the lease is released without waiting for it.
            PutOff(token);
            await FactoryInvoker.CancelAsync(given).ConfigureAwait(false);
            _ = load.ContinueWith(static ended => ended.Exception, CancellationToken.None, TaskContinuationOptions.None, TaskScheduler.Default);
        }

        return stale;
    }

    // Waits until the load ends, but at most for the duration patience. Returns false if the load is still running and a caller is waiting for its result.
    private static async ValueTask<bool> IsOverAsync(Task load, TimeSpan patience, CancellationToken abandoned)
    {
        await load.WaitAsync(patience, abandoned).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        return load.IsCompleted || abandoned.IsCancellationRequested;
    }

    private async Task<CreatedBytes> MakeAsync(byte[] token, StaleItem? known, CancellationToken abandoned)
    {
        CreatedItem made;
        StoredItem? item;
        try
        {
            made = await RunFactoryAsync(known, abandoned).ConfigureAwait(false);
            item = ToStore(made);
        }
        catch
        {
            await calls.ReleaseAsync(key, token).ConfigureAwait(false);
            throw;
        }

        if (item is null)
        {
            await calls.ReleaseAsync(key, token).ConfigureAwait(false);
            return CreatedBytes.Created(made.Value);
        }

        CacheError? failure = await StoreAsync(made.Value, item, token, abandoned).ConfigureAwait(false);
        if (failure is not null)
        {
            // The value was not stored, so release the lease. Other callers would otherwise wait until the lease times out.
            await calls.ReleaseAsync(key, token).ConfigureAwait(false);
        }

        return FactoryInvoker.Answer(made.Value, calls.Cache, failure, logger, failures);
    }

    private ValueTask<CreatedItem> RunFactoryAsync(StaleItem? known, CancellationToken abandoned) =>
        FactoryInvoker.MakeAsync(cancelled => factory.RunAsync(known, cancelled), options.HardTimeout, abandoned);

    // Creates and stores a value without a lease. Used to replace a stored value that cannot be decoded, and if the server has reached its maximum number of
    // leases.
    private async Task<CreatedBytes> ReplaceAsync(CancellationToken abandoned)
    {
        CreatedItem made = await RunFactoryAsync(known: null, abandoned).ConfigureAwait(false);
        CacheError? failure = ToStore(made) is { } item ? await StoreAsync(made.Value, item, [], abandoned).ConfigureAwait(false) : null;
        return FactoryInvoker.Answer(made.Value, calls.Cache, failure, logger, failures);
    }

    // Creates a value after the request for a lease failed: the server is unreachable, has reached its maximum number of leases, or does not support leases.
    private async Task<CreatedBytes> LoadWithoutAsync(CacheError failure, CancellationToken abandoned)
    {
        if (failure.Code == CacheErrorCode.LimitExceeded)
        {
            return await ReplaceAsync(abandoned).ConfigureAwait(false);
        }

        CreatedItem made = await RunFactoryAsync(known: null, abandoned).ConfigureAwait(false);
        if (ToStore(made) is not { } item)
        {
            return CreatedBytes.Created(made.Value);
        }

        // An item with tags is not stored, because a server without leases also has no tags and could not invalidate the item by its tags.
        CacheError? notStored = failure.IsUnsupported && item.Tags.Length == 0
            ? await calls.SetAsync(key, made.Value, times.Jittered(item.TtlMs, Random.Shared.NextDouble()), abandoned).ConfigureAwait(false)
            : failure;
        return FactoryInvoker.Answer(made.Value, calls.Cache, notStored, logger, failures);
    }

    private void Refresh(byte[] token, StaleItem? known)
    {
        if (background.TryBegin())
        {
            _ = EndInBackgroundAsync(Task.Run(() => MakeAsync(token, known, CancellationToken.None)));
        }
        else
        {
            PutOff(token);
        }
    }

    // Releases the lease of a load, because the maximum number of loads already runs in the background (GOC-13).
    private void PutOff(byte[] token)
    {
        Log.RefreshPutOff(logger, calls.Cache, BackgroundLoads.Most);
        _ = calls.ReleaseAsync(key, token).AsTask();
    }

    // Waits for a load whose result no caller needs, and logs its failure. The load has been counted as a background load.
    private async Task EndInBackgroundAsync(Task load)
    {
        try
        {
            await load.ConfigureAwait(false);
        }
        catch (Exception exception)
        {
            // The exception is not rethrown. The next caller tries to refresh the value again.
            Log.NotRefreshed(logger, exception, calls.Cache);
        }
        finally
        {
            background.Ended();
        }
    }

    private bool IsUsable(byte[] value, out object? read)
    {
        read = null;
        return check is null || check(value, out read);
    }

    // Returns how a created value is stored, or null if the factory does not want it to be stored. Throws an ArgumentException if the time to live, the tags or
    // the ETag of the value is invalid.
    private StoredItem? ToStore(in CreatedItem made)
    {
        if (made.DoNotStore)
        {
            return null;
        }

        CacheBytes[] tags = _tags;
        if (made.Tags is not { Count: 0 })
        {
            CacheError? error = Arguments.CheckTags(made.Tags, isSome: false);
            tags = error is null ? [.. _tags, .. made.Tags] : [];
            if ((error ?? Arguments.CheckTags(tags, isSome: false)) is { } invalid)
            {
                throw new ArgumentException($"The tags in the factory's context: {invalid.Reason}");
            }
        }

        return Arguments.CheckValidator(made.Validator) is { } badValidator
            ? throw new ArgumentException(badValidator.Reason)
            : new StoredItem(times.TtlOf(made), tags, made.Validator);
    }

    private ValueTask<CacheError?> StoreAsync(byte[] value, StoredItem item, byte[] token, CancellationToken abandoned)
    {
        (ulong storedMs, ulong staleMs) = times.Stored(item.TtlMs, Random.Shared.NextDouble());
        return calls.StoreAsync(key, value, storedMs, staleMs, token, item.Tags, item.Validator, abandoned);
    }

    // How a value is stored. The jitter and the refresh-ahead time are not yet subtracted from the time to live.
    private sealed record StoredItem(ulong TtlMs, CacheBytes[] Tags, CacheBytes Validator);
}
