using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>
/// What stands before each entry's key and value in its segment: 24 bytes, at a multiple of 4. Once an entry is published, only its
/// wheel links, its flags (both under the shard's lock) and its frequency (by anyone, unordered) change; key, value, expiry and space
/// never do, so readers need no lock.
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes, Pack = 4)]
internal unsafe struct EntryHeader
{
    public const int Bytes = 24;

    /// <summary>Entries begin at multiples of this; addresses count in it.</summary>
    public const int Alignment = 4;

    /// <summary>Hits are counted up to this; more tell the policy nothing.</summary>
    public const byte MaxFrequency = 3;

    private const uint LengthMask = 0xFF_FFFF;
    private const int SpaceBits = 24;

    [FieldOffset(0)]
    public uint WheelNext;

    [FieldOffset(4)]
    public uint WheelPrevious;

    // Expiry in ms in the upper 40 bits (34 years), space id in the lower 24.
    [FieldOffset(8)]
    private ulong _expiryAndSpace;

    // The lengths use 24 bits each; their top bytes are the two fields below them.
    [FieldOffset(16)]
    private uint _keyLength;

    [FieldOffset(19)]
    private byte _dead;

    [FieldOffset(20)]
    private uint _valueLength;

    [FieldOffset(23)]
    public byte Frequency;

    public readonly int KeyLength => (int)(_keyLength & LengthMask);

    public readonly int ValueLength => (int)(_valueLength & LengthMask);

    public readonly int SpaceId => (int)(_expiryAndSpace & ((1 << SpaceBits) - 1));

    public readonly long ExpiresAtMs => (long)(_expiryAndSpace >> SpaceBits);

    /// <summary>Removed or replaced; its bytes wait for their segment to be reclaimed.</summary>
    public bool Dead
    {
        readonly get => _dead != 0;
        set => _dead = value ? (byte)1 : (byte)0;
    }

    /// <summary>Bytes from this entry to the next in its segment.</summary>
    public readonly int SizeBytes => SizeOf(KeyLength, ValueLength);

    public static int SizeOf(int keyLength, int valueLength) => (Bytes + keyLength + valueLength + Alignment - 1) & ~(Alignment - 1);

    public static void Write(EntryHeader* at, int spaceId, long expiresAtMs, byte frequency, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        at->WheelNext = 0;
        at->WheelPrevious = 0;
        at->_expiryAndSpace = ((ulong)expiresAtMs << SpaceBits) | (uint)spaceId;
        at->_keyLength = (uint)key.Length;
        at->_valueLength = (uint)value.Length | ((uint)frequency << 24);
        byte* bytes = (byte*)(at + 1);
        key.CopyTo(new Span<byte>(bytes, key.Length));
        value.CopyTo(new Span<byte>(bytes + key.Length, value.Length));
    }

    public static ReadOnlySpan<byte> Key(EntryHeader* at) => new(at + 1, at->KeyLength);

    public static ReadOnlySpan<byte> Value(EntryHeader* at) => new((byte*)(at + 1) + at->KeyLength, at->ValueLength);

    /// <summary>Counts a hit. Two at once may count as one: the policy does not mind, and no reader waits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Touch(EntryHeader* at)
    {
        byte frequency = at->Frequency;
        if (frequency < MaxFrequency)
        {
            at->Frequency = (byte)(frequency + 1);
        }
    }
}
