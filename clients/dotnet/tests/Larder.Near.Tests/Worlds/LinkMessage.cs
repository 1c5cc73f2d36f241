namespace Larder.Near.Tests.Worlds;

/// <summary>
/// A message from a node to a gateway. The messages of a connection are delivered in order. A message is a reply, a notification that a key changed, or a reply
/// to the read of a lease renewal.
/// </summary>
internal readonly struct LinkMessage
{
    private readonly byte _bits;

    private LinkMessage(LinkMessageKind kind, int argument, int version) => _bits = (byte)((int)kind | (argument << 2) | (version << 5));

    public LinkMessageKind Kind => (LinkMessageKind)(_bits & 3);

    /// <summary>
    /// Gets an index, whose meaning depends on the kind. A reply contains the index of the operation. A notification contains the index of the key's name. A
    /// reply for a renewal contains the index of the stream.
    /// </summary>
    public int Argument => (_bits >> 2) & 7;

    /// <summary>Gets the new version of the changed key.</summary>
    public byte Version => (byte)(_bits >> 5);

    public static LinkMessage Reply(int operation) => new(LinkMessageKind.Reply, operation, 0);

    public static LinkMessage Changed(int name, byte version) => new(LinkMessageKind.Changed, name, version);

    public static LinkMessage RenewReply(int stream) => new(LinkMessageKind.RenewReply, stream, 0);
}
