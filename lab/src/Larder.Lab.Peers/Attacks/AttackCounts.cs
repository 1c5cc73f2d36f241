using System.Text.Json.Nodes;

namespace Larder.Lab.Peers.Attacks;

/// <summary>Counts what an attack has done so far. Thread-safe.</summary>
internal sealed class AttackCounts
{
    private long _connections;
    private long _requests;
    private long _bytes;
    private long _answered;
    private long _refused;
    private long _broken;

    /// <summary>Gets the number of requests, operations or records sent.</summary>
    public long Requests => Interlocked.Read(ref _requests);

    /// <summary>Gets the number of ended streams on which the server had sent data.</summary>
    public long Answered => Interlocked.Read(ref _answered);

    /// <summary>Gets the number of connections opened.</summary>
    public long Connections => Interlocked.Read(ref _connections);

    public void AddConnection() => Interlocked.Increment(ref _connections);

    public void AddRequests(long count) => Interlocked.Add(ref _requests, count);

    public void AddBytes(long count) => Interlocked.Add(ref _bytes, count);

    /// <summary>Counts a stream that ended. A stream that ended without data counts as refused.</summary>
    public void AddEnded(bool isRefused) => Interlocked.Increment(ref isRefused ? ref _refused : ref _answered);

    /// <summary>Counts a connection that could not be opened, or that the server closed.</summary>
    public void AddBroken() => Interlocked.Increment(ref _broken);

    public JsonObject ToJson() => new()
    {
        ["connections"] = Connections,
        ["requests"] = Requests,
        ["bytes"] = Interlocked.Read(ref _bytes),
        ["answered"] = Answered,
        ["refused"] = Interlocked.Read(ref _refused),
        ["broken"] = Interlocked.Read(ref _broken),
    };
}
