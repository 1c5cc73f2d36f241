using System.Text;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Server.Scans;
using Larder.Store;

namespace Larder.Server.Fleet;

/// <summary>
/// Scans the masters of a fleet one after the other with SCAN. SCAN returns every key that is on the master during the whole scan. Keys may move between
/// masters, so each page also reads the state of the cluster. If the state has changed, the scan fails.
/// </summary>
internal sealed class FleetKeyScanner(RemoteGateway gateway) : IKeyScanner
{
    // The maximum number of SCAN commands per page. If matches are rare, the page ends after this number, and the next page continues the scan.
    private const int MaxRounds = 8;

    // The maximum number of keys that one SCAN command examines, which takes about 1 ms of the master's time. If a page is still empty after its first SCAN
    // command, its next commands examine this number of keys.
    private const int ScanCount = 1_000;

    // The maximum number of items that are queried concurrently. A connection accepts 4,096 outstanding calls of all callers together.
    private const int KeysPerRequest = 256;

    // The limits of the total size of a page's keys. A page ends when the size reaches EnoughBytes. The scan fails if the size exceeds MaxBytes, which is below
    // the message size limit.
    private const long EnoughBytes = 1 << 20;
    private const long MaxBytes = 8 << 20;

    public async ValueTask<KeyScanOutcome> ScanAsync(string cache, ReadOnlyMemory<byte> cursor, KeyQuery query, TimeSpan? timeout)
    {
        if ((gateway.Find(cache, out RemoteCache? found) ?? (gateway.Guard.IsResuming() ? CallError.Resuming : null)) is { } error)
        {
            return error;
        }

        if (!FleetCursor.TryRead(cursor.Span, found!.Id, out FleetCursor at))
        {
            return ScanErrors.ForeignCursor;
        }

        try
        {
            return await ScanAsync(found, at, query, gateway.EndOf(gateway.TimeProvider.GetTimestamp(), timeout)).ConfigureAwait(false);
        }
        catch (FleetQueryException failed)
        {
            return FleetErrors.Of(failed.Failure);
        }
    }

    private async Task<KeyScanOutcome> ScanAsync(RemoteCache cache, FleetCursor at, KeyQuery query, long deadline)
    {
        IReadOnlyList<RedisEndPoint> masters = gateway.Store.Masters;
        byte[] pattern = GlobPattern.OfPrefix([.. cache.Prefix, .. query.Prefix.Span]);
        List<ScannedKey> shown = [];
        long bytes = 0;
        MasterView? last = null;
        for (int round = 0; round < MaxRounds && shown.Count < query.Count && bytes < EnoughBytes; round++)
        {
            if (at.Master >= masters.Count)
            {
                return masters.Count == 0 ? FleetErrors.NotReady : ScanErrors.Moved;
            }

            RedisEndPoint master = masters[at.Master];
            MasterView before = last ?? await LookAsync(master, masters, deadline).ConfigureAwait(false);
            at = at with { Map = at.Map == 0 ? before.Map : at.Map, Run = at.Run == 0 ? before.Run : at.Run };
            int looked = round > 0 && shown.Count == 0 ? ScanCount : Math.Min(query.Count - shown.Count, ScanCount);
            (ulong position, List<byte[]> keys) = await ScanOnceAsync(master, at.Position, pattern, looked, deadline).ConfigureAwait(false);
            MasterView after = await LookAsync(master, masters, deadline).ConfigureAwait(false);
            if (after.HasMovingSlots || before != after || after.Map != at.Map || after.Run != at.Run)
            {
                return ScanErrors.Moved;
            }

            bytes += keys.Sum(static key => (long)key.Length);
            if (bytes > MaxBytes)
            {
                return ScanErrors.TooLarge;
            }

            await DescribeAsync(keys, cache.Prefix.Length, query.Type, shown, deadline).ConfigureAwait(false);
            at = position == 0 ? new FleetCursor(at.Map, at.Master + 1, 0, 0) : at with { Position = position };
            last = position == 0 ? null : after;
            if (at.Master == masters.Count)
            {
                return new KeyPage(shown, []);
            }
        }

        return new KeyPage(shown, at.Write(cache.Id));
    }

    private async Task<MasterView> LookAsync(RedisEndPoint master, IEnumerable<RedisEndPoint> masters, long deadline)
    {
        Task<string> server = Ask("INFO"u8, "server"u8).SendToAsync(gateway.Store, master);
        string nodes = gateway.Store.IsCluster == true ? await Ask("CLUSTER"u8, "NODES"u8).SendToAsync(gateway.Store, master).ConfigureAwait(false) : "";
        return MasterView.Read(nodes, await server.ConfigureAwait(false), masters);

        FleetQuery<string> Ask(ReadOnlySpan<byte> command, ReadOnlySpan<byte> argument)
        {
            FleetQuery<string> query = new(static (ref RespReader reply) => Encoding.UTF8.GetString(reply.Bytes));
            query.Begin(2);
            query.Add(command);
            query.Add(argument);
            query.IsIdempotent = true;
            query.Deadline = deadline;
            return query;
        }
    }

    private Task<(ulong Position, List<byte[]> Keys)> ScanOnceAsync(RedisEndPoint master, ulong position, byte[] pattern, int looked, long deadline)
    {
        FleetQuery<(ulong Position, List<byte[]> Keys)> scan = new(ReadPage);
        scan.Begin(6);
        scan.Add("SCAN"u8);
        scan.Add(Encoding.ASCII.GetBytes($"{position}"));
        scan.Add("MATCH"u8);
        scan.Add(pattern);
        scan.Add("COUNT"u8);
        scan.Add(looked);
        scan.IsIdempotent = true;
        scan.Deadline = deadline;
        return scan.SendToAsync(gateway.Store, master);
    }

    private static (ulong Position, List<byte[]> Keys) ReadPage(ref RespReader reply)
    {
        reply.Read();
        ulong position = ulong.Parse(reply.Bytes, provider: null);
        reply.Read();
        List<byte[]> keys = new(reply.Count);
        for (int left = reply.Count; left > 0; left--)
        {
            reply.Read();
            keys.Add(reply.Bytes.ToArray());
        }

        return (position, keys);
    }

    private async Task DescribeAsync(List<byte[]> keys, int prefixBytes, ItemType? wanted, List<ScannedKey> shown, long deadline)
    {
        foreach (byte[][] some in keys.Chunk(KeysPerRequest))
        {
            foreach (ScannedKey? key in await Task.WhenAll(some.Select(key => DescribeAsync(key, prefixBytes, deadline))).ConfigureAwait(false))
            {
                if (key is not null && (wanted is not { } type || type == key.Type))
                {
                    shown.Add(key);
                }
            }
        }
    }

    private Task<ScannedKey?> DescribeAsync(byte[] key, int prefixBytes, long deadline)
    {
        FleetQuery<ScannedKey?> query = new((ref RespReader reply) => ReadItem(ref reply, key[prefixBytes..]));
        query.BeginScript(FleetScripts.ScanEntry, 1, 0);
        query.AddKey(default, key);
        query.IsIdempotent = true;
        query.Deadline = deadline;
        return query.SendAsync(gateway.Store);
    }

    private static ScannedKey? ReadItem(ref RespReader reply, byte[] key)
    {
        if (reply.IsNull)
        {
            return null;
        }

        reply.Read();
        ItemType? type = EngineType.Parse(reply.Bytes);
        reply.Read();
        long leftMs = reply.Integer;
        reply.Read();
        return type is { } known ? new ScannedKey(key, known, Math.Max(leftMs - 1, 0), reply.Integer) : null;
    }
}
