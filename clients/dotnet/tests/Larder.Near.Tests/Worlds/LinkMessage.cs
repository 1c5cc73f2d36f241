namespace Larder.Near.Tests.Worlds;

/// <summary>What a node says on a connection, in order: a reply, that a name has changed, or the reply to a renew's read.</summary>
internal readonly struct LinkMessage
{
    private readonly byte _bits;

    private LinkMessage(LinkMessageKind kind, int argument, int version) => _bits = (byte)((int)kind | (argument << 2) | (version << 5));

    public LinkMessageKind Kind => (LinkMessageKind)(_bits & 3);

    /// <summary>The operation that is replied to, the name that has changed, or the stream that asked for a renew.</summary>
    public int Argument => (_bits >> 2) & 7;

    /// <summary>The version that a name has changed to.</summary>
    public byte Version => (byte)(_bits >> 5);

    public static LinkMessage Reply(int operation) => new(LinkMessageKind.Reply, operation, 0);

    public static LinkMessage Changed(int name, byte version) => new(LinkMessageKind.Changed, name, version);

    public static LinkMessage RenewReply(int stream) => new(LinkMessageKind.RenewReply, stream, 0);
}
