namespace Larder.Store;

/// <summary>
/// A key's ticket: 20 bits by which a client can be told that a key has changed, the same as long as the process runs. Keys share them. A ticket may be
/// sent: it is a product of the key's hash with a secret factor, and tells nothing of the bits that place the key in an index.
/// </summary>
public static class KeyTicket
{
    /// <summary>How many there are.</summary>
    public const int Count = 1 << Bits;

    private const int Bits = 20;

    private static readonly ulong s_factor = KeyHash.NewSeed() | 1;
    private static readonly ulong s_addend = KeyHash.NewSeed();

    /// <summary>The ticket of a key that no <see cref="Cache"/> holds.</summary>
    public static uint Of(ReadOnlySpan<byte> key) => Of(KeyHash.Compute(key, s_addend));

    internal static uint Of(ulong hash) => (uint)Math.BigMul(hash + s_addend, s_factor, out _) & (Count - 1);
}
