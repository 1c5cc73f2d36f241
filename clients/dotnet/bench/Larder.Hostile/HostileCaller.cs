using System.Collections.Concurrent;
using Larder.Client;

namespace Larder.Hostile;

/// <summary>Makes valid and invalid calls on the given clients. Cancels or abandons some of the calls at random.</summary>
internal sealed class HostileCaller(Random random, IReadOnlyList<CacheClient> clients, ConcurrentDictionary<string, int> outcomes)
{
    private readonly HostileArguments _arguments = new(random);

    /// <summary>Makes bursts of calls for <paramref name="length"/>. Returns their tasks, which complete later and never fail.</summary>
    public async Task<List<Task>> RunAsync(TimeSpan length)
    {
        List<Task> pending = [];
        long end = Environment.TickCount64 + (long)length.TotalMilliseconds;
        while (Environment.TickCount64 < end)
        {
            CancellationTokenSource shared = new();
            shared.Token.Register(static () => throw new InvalidOperationException("a registration of the caller's own"));
            int burst = random.Next(_arguments.Chance(0.02) ? 3_000 : 60);
            for (int call = 0; call < burst; call++)
            {
                pending.Add(CallAsync(shared));
            }

            if (_arguments.Chance(0.3))
            {
                pending.Add(CancelLaterAsync(shared, random.Next(20)));
            }

            await Task.Delay(random.Next(15));
        }

        return pending;
    }

    private static async Task CancelLaterAsync(CancellationTokenSource shared, int afterMs)
    {
        await Task.Delay(afterMs);
        try
        {
            await shared.CancelAsync();
        }
        catch (AggregateException)
        {
            // The test's own cancellation callback threw.
        }
        finally
        {
            shared.Dispose();
        }
    }

    private async Task CallAsync(CancellationTokenSource shared)
    {
        string outcome;
        try
        {
            CancellationToken cancelled = _arguments.Chance(0.5) ? shared.Token : _arguments.Chance(0.1) ? new CancellationToken(true) : CancellationToken.None;
            object? response = await Make(clients[random.Next(clients.Count)], cancelled);
            outcome = response is ICacheResult { Error: { } error } ? error.Code.ToString() : response?.ToString()?.Split(' ')[0] ?? "left alone";
        }
        catch (Exception error)
        {
            outcome = error.GetType().Name;
        }

        outcomes.AddOrUpdate(outcome, 1, static (_, count) => count + 1);
    }

    private async ValueTask<object?> Make(CacheClient client, CancellationToken cancelled)
    {
        Cache cache = client.Cache(_arguments.Cache());
        (CacheBytes key, CacheBytes value, TimeSpan? ttl) = (_arguments.Key(), _arguments.Value(), _arguments.Ttl());
        switch (random.Next(13))
        {
            case 0:
                return await cache.SetAsync(key, value, ttl, cancelled);
            case 1:
                return await cache.DeleteAsync(key, cancelled);
            case 2:
                return await cache.IncrementAsync($"n{random.Next(5)}", random.NextInt64(-10, 10), ttl, _arguments.Chance(0.5), cancelled);
            case 3:
                return await cache.KeysExistAsync(_arguments.Keys(), cancelled);
            case 4:
                return await cache.GetBatchAsync(_arguments.Keys(), cancelled);
            case 5:
                return await cache.SetBatchAsync(
                    [.. _arguments.Keys().Select(one => new SetBatchItem(one, _arguments.Value(), _arguments.Ttl()))],
                    ttl,
                    cancelled);
            case 6:
                return await cache.SetIfAbsentAsync(key, value, ttl, cancelled);
            case 7:
                return await cache.SetIfEqualAsync(key, value, _arguments.Value(), ttl, cancelled);
            case 8:
                return await cache.GetWithHashAsync(key, cancelled);
            case 9:
                return await cache.UpdateTtlAsync(key, ttl ?? TimeSpan.FromSeconds(5), cancelled);
            case 10:
                return await cache.GetOrCreateAsync(key, _arguments.Factory(), ttl, cancelled);
            case 11:
                // The call completes although its caller has abandoned it.
#pragma warning disable CA2012 // Deliberately never awaited.
                _ = cache.GetAsync(key, cancelled);
#pragma warning restore CA2012
                return null;
            default:
                return await cache.GetAsync(key, cancelled);
        }
    }
}
