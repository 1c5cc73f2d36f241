namespace Larder.Near.Tests.Worlds;

/// <summary>A message from a node on a connection, delivered in order: a reply, the change of a name, or the reply to the read of a lease renewal.</summary>
internal readonly struct LinkMessage
{
    private readonly byte _bits;

    private LinkMessage(LinkMessageKind kind, int argument, int version) => _bits = (byte)((int)kind | (argument << 2) | (version << 5));

    public LinkMessageKind Kind => (LinkMessageKind)(_bits & 3);

    /// <summary>Gets the operation that is answered, the name that changed, or the stream that requested a renewal.</summary>
    public int Argument => (_bits >> 2) & 7;

    /// <summary>Gets the version that the name changed to.</summary>
    public byte Version => (byte)(_bits >> 5);

    public static LinkMessage Reply(int operation) => new(LinkMessageKind.Reply, operation, 0);

    public static LinkMessage Changed(int name, byte version) => new(LinkMessageKind.Changed, name, version);

    public static LinkMessage RenewReply(int stream) => new(LinkMessageKind.RenewReply, stream, 0);
}
