using System.Globalization;
using System.Text;
using Larder.Redis;

namespace Larder.Server.Fleet;

/// <summary>
/// Deletes the data that a flush or a deletion leaves behind. Sweeps one old generation at a time: deletes its keys page by page, with pauses. If the cache was
/// deleted, also deletes its topics. One gateway claims a generation. If that gateway fails, another gateway claims the generation later. Keys that the sweep
/// misses expire with their own TTL.
/// </summary>
/// <param name="store">The cluster.</param>
/// <param name="time">The clock.</param>
/// <param name="exists">Returns whether a cache with the given ID exists. If null, all caches are assumed to exist.</param>
internal sealed class GenerationSweep(RedisStore store, TimeProvider time, Func<long, bool>? exists = null)
{
    private const int PageKeys = 500;
    private const int ClaimSeconds = 30;

    // Scanning 500 keys every 10 ms means about 50,000 keys per second on each master, which takes a few percent of its time.
    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan QueryTime = TimeSpan.FromSeconds(1);

    // A generation that this gateway has claimed but not finished, because the cluster did not respond. No other gateway may claim it until the claim expires.
    private string _unfinished = "";

    /// <summary>
    /// Sweeps one old generation. Prefers a generation that this gateway has claimed but not finished, otherwise claims a generation that no gateway has
    /// claimed. Does nothing if there is none.
    /// </summary>
    /// <exception cref="FleetQueryException">The cluster does not respond. The remaining keys are swept later.</exception>
    public async Task RunAsync(CancellationToken cancelled)
    {
        string? generation = await ClaimAsync(_unfinished).ConfigureAwait(false);
        if (generation is null && _unfinished.Length > 0)
        {
            // In the meantime, another gateway has swept the generation.
            _unfinished = "";
            generation = await ClaimAsync("").ConfigureAwait(false);
        }

        if (generation is null)
        {
            return;
        }

        _unfinished = generation;
        string[] numbers = generation.Split('.');
        long id = Number(numbers[0]);
        await SweepAsync(KeyPrefix.Pattern(id, Number(numbers[1])), generation, cancelled).ConfigureAwait(false);
        if (exists?.Invoke(id) == false)
        {
            await SweepAsync(RemoteTopicKeys.Pattern(id), generation, cancelled).ConfigureAwait(false);
        }

        FleetQuery<long> done = new(static (ref RespReader reply) => reply.Integer);
        done.Begin(3);
        done.Add("HDEL"u8);
        done.AddKey(default, Encoding.UTF8.GetBytes(FleetDirectory.Key));
        done.Add(Encoding.UTF8.GetBytes("s:" + generation));
        done.IsIdempotent = true;
        await Limited(done).SendAsync(store).ConfigureAwait(false);
        _unfinished = "";
    }

    private async Task SweepAsync(byte[] pattern, string generation, CancellationToken cancelled)
    {
        for (int master = 0; master < store.MasterCount; master++)
        {
            await SweepAsync(master, pattern, generation, cancelled).ConfigureAwait(false);
        }
    }

    private async Task SweepAsync(int master, byte[] pattern, string generation, CancellationToken cancelled)
    {
        long claimedAt = time.GetTimestamp();
        byte[] cursor = "0"u8.ToArray();
        do
        {
            FleetQuery<(byte[] Cursor, List<byte[]> Keys)> scan = new(ReadPage);
            scan.Begin(6);
            scan.Add("SCAN"u8);
            scan.Add(cursor);
            scan.Add("MATCH"u8);
            scan.Add(pattern);
            scan.Add("COUNT"u8);
            scan.Add(PageKeys);
            scan.IsIdempotent = true;
            (cursor, List<byte[]> keys) = await Limited(scan).SendToAsync(store, master).ConfigureAwait(false);
            await Task.WhenAll(keys.Select(UnlinkAsync)).ConfigureAwait(false);
            if (time.GetElapsedTime(claimedAt).TotalSeconds > ClaimSeconds / 2)
            {
                claimedAt = time.GetTimestamp();
                await ClaimAsync(generation).ConfigureAwait(false);
            }

            await Task.Delay(Pause, time, cancelled).ConfigureAwait(false);
        }
        while (!cursor.AsSpan().SequenceEqual("0"u8));
    }

    private Task<long> UnlinkAsync(byte[] key)
    {
        FleetQuery<long> unlink = new(static (ref RespReader reply) => reply.Integer);
        unlink.Begin(2);
        unlink.Add("UNLINK"u8);
        unlink.AddKey(default, key);
        unlink.IsIdempotent = true;
        return Limited(unlink).SendAsync(store);
    }

    private Task<string?> ClaimAsync(string again)
    {
        FleetQuery<string?> claim = new(static (ref RespReader reply) => reply.IsNull ? null : Encoding.UTF8.GetString(reply.Bytes));
        claim.BeginScript(FleetScripts.SweepClaim, 1, 2);
        claim.AddKey(default, Encoding.UTF8.GetBytes(FleetDirectory.Key));
        claim.Add(ClaimSeconds);
        claim.Add(Encoding.UTF8.GetBytes(again));
        return Limited(claim).SendAsync(store);
    }

    private FleetQuery<T> Limited<T>(FleetQuery<T> query)
    {
        query.Deadline = time.GetTimestamp() + (long)(QueryTime.TotalSeconds * time.TimestampFrequency);
        return query;
    }

    private static (byte[] Cursor, List<byte[]> Keys) ReadPage(ref RespReader reply)
    {
        reply.Read();
        byte[] cursor = reply.Bytes.ToArray();
        reply.Read();
        List<byte[]> keys = new(reply.Count);
        for (int left = reply.Count; left > 0; left--)
        {
            reply.Read();
            keys.Add(reply.Bytes.ToArray());
        }

        return (cursor, keys);
    }

    private static long Number(string text) => long.Parse(text, NumberStyles.None, CultureInfo.InvariantCulture);
}
