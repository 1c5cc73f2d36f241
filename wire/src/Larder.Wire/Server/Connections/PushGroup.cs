namespace Larder.Wire;

/// <summary>Those of a <see cref="PushSet"/>'s streams that are on one connection.</summary>
internal sealed class PushGroup(RpcConnection connection)
{
    public RpcConnection Connection => connection;

    /// <summary>The streams. Under the connection's lock.</summary>
    public List<PushStream> Streams { get; } = [];
}
