namespace Larder.Wire;

/// <summary>The streams of a <see cref="PushSet"/> that belong to one connection.</summary>
internal sealed class PushGroup(RpcConnection connection)
{
    public RpcConnection Connection => connection;

    /// <summary>Gets the streams. Guarded by the connection's lock.</summary>
    public List<PushStream> Streams { get; } = [];
}
