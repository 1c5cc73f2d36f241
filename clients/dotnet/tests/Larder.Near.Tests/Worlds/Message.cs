namespace Larder.Near.Tests.Worlds;

/// <summary>
/// A message from a server to a client, in 16 bits. It contains its kind, and either the answered operation or the announced tickets. For each key, it also
/// contains the announced version.
/// </summary>
internal readonly struct Message
{
    private readonly ushort _bits;

    private Message(MessageKind kind, int argument, int told, int secondTold) =>
        _bits = (ushort)((int)kind | (argument << 3) | (told << 8) | (secondTold << 12));

    private Message(ushort bits) => _bits = bits;

    public MessageKind Kind => (MessageKind)(_bits & 7);

    /// <summary>Gets the answered operation.</summary>
    public int Operation => (_bits >> 3) & 7;

    /// <summary>Gets the announced tickets, one bit for each.</summary>
    public int Tickets => (_bits >> 3) & 7;

    public static Message Answer(int operation) => new(MessageKind.Answer, operation, 0, 0);

    public static Message Of(MessageKind kind) => new(kind, 0, 0, 0);

    public static Message Telling(MessageKind kind, int tickets, byte told, byte secondTold) => new(kind, tickets, told, secondTold);

    /// <summary>Returns the version of a key that the message announces, or 0 if it announces none.</summary>
    public byte InvalidatedVersionOf(int key) => (byte)((_bits >> (key == 0 ? 8 : 12)) & 15);

    /// <summary>
    /// Returns the message without its announcement for a key if the announced version is at most <paramref name="version"/>. Otherwise returns the message
    /// unchanged.
    /// </summary>
    public Message WithoutInvalidation(int key, byte version)
    {
        byte told = InvalidatedVersionOf(key);
        return told == 0 || told > version ? this : new Message((ushort)(_bits & ~(15 << (key == 0 ? 8 : 12))));
    }
}
