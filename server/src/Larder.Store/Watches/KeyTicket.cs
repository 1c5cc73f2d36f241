namespace Larder.Store;

/// <summary>
/// Computes a key's ticket: 20 bits by which a client can be notified that a key has changed. The ticket of a key does not change while the process runs.
/// Several keys can have the same ticket. A ticket may be sent to clients. It is computed from the product of the key's hash and a secret factor, so it does
/// not reveal the bits that determine the position of the key in an index.
/// </summary>
public static class KeyTicket
{
    /// <summary>The number of different tickets.</summary>
    public const int Count = 1 << Bits;

    private const int Bits = 20;

    private static readonly ulong s_factor = KeyHash.NewSeed() | 1;
    private static readonly ulong s_addend = KeyHash.NewSeed();

    /// <summary>Returns the ticket of a key that is not in a <see cref="Cache"/>.</summary>
    public static uint Of(ReadOnlySpan<byte> key) => Of(KeyHash.Compute(key, s_addend));

    internal static uint Of(ulong hash) => (uint)Math.BigMul(hash + s_addend, s_factor, out _) & (Count - 1);
}
