using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>
/// What stands before each entry's key and value in its segment: 24 bytes, at a multiple of 4. Once an entry is published, key, lengths
/// and space never change. The wheel links change under the shard's lock, the frequency by anyone, unordered; the expiry, and the bytes
/// of a value that is not fixed, by whoever holds the entry's own lock (EntryHeader.Change.cs).
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes, Pack = 4)]
internal unsafe partial struct EntryHeader
{
    public const int Bytes = 24;

    /// <summary>Entries begin at multiples of this; addresses count in it.</summary>
    public const int Alignment = 4;

    /// <summary>Hits are counted up to this; more tell the policy nothing.</summary>
    public const byte MaxFrequency = 3;

    // 8,388,607 bytes, above the largest item that a store can be asked to take.
    private const uint LengthMask = 0x7F_FFFF;

    // Of the key's length: the rest stands beside the frequency, so that the state has room for its version.
    private const int LowKeyLengthBits = 17;
    private const uint LowKeyLengthMask = (1 << LowKeyLengthBits) - 1;
    // 1,048,576 spaces: ten times as many as there may be caches.
    private const int SpaceBits = 20;
    private const uint TailBit = 1u << SpaceBits;
    private const int TypeShift = SpaceBits + 1;
    private const int ExpiryShift = 24;
    private const ulong TypeMask = (1ul << ExpiryShift) - (1ul << TypeShift);

    [FieldOffset(0)]
    public uint WheelNext;

    [FieldOffset(4)]
    public uint WheelPrevious;

    // Expiry in ms in the upper 40 bits (34 years), then the item's type in 3, whether it has a tail, and the space's id in the lower 20.
    [FieldOffset(8)]
    private ulong _expiryAndSpace;

    // The lower 17 bits of the key's length; above them whether the entry is removed, locked or changing, and its version.
    [FieldOffset(16)]
    private uint _state;

    // The value's length in the lower 23 bits, and above them whether it may be overwritten; then the byte below.
    [FieldOffset(20)]
    private uint _lengths;

    // The frequency in the lower 2 bits, and the upper 6 of the key's length, which are the same whoever writes the byte.
    [FieldOffset(23)]
    private byte _frequencyAndKeyLength;

    public readonly int KeyLength => (int)((_state & LowKeyLengthMask) | ((_lengths >> 26) << LowKeyLengthBits));

    public readonly int ValueLength => (int)(_lengths & LengthMask);

    /// <summary>Hits since the entry was last looked at for eviction, up to <see cref="MaxFrequency"/>.</summary>
    public byte Frequency
    {
        readonly get => (byte)(_frequencyAndKeyLength & MaxFrequency);
        set => _frequencyAndKeyLength = (byte)((_frequencyAndKeyLength & ~MaxFrequency) | value);
    }

    public readonly int SpaceId => (int)(_expiryAndSpace & ((1 << SpaceBits) - 1));

    /// <summary>What the item holds. Of a collection the value is where it is, and fixed.</summary>
    public readonly ItemType Type => (ItemType)((_expiryAndSpace & TypeMask) >> TypeShift);

    /// <summary>Whether the item is a scalar without a tail: all that there is to know of it is its expiry and its value.</summary>
    public readonly bool IsPlain => (_expiryAndSpace & (TypeMask | TailBit)) == 0;

    /// <summary>Whether an <see cref="EntryTail"/> stands behind the value.</summary>
    public readonly bool HasTail => (_expiryAndSpace & TailBit) != 0;

    /// <summary>When it expires. Stable only for who holds the entry's lock; others use <see cref="ReadExpiry"/>.</summary>
    public readonly long ExpiresAtMs => (long)(_expiryAndSpace >> ExpiryShift);

    /// <summary>Removed or replaced; its bytes wait for their segment to be reclaimed.</summary>
    public readonly bool Dead => (_state & DeadBit) != 0;

    public static int SizeOf(int keyLength, int valueLength) => (Bytes + keyLength + valueLength + Alignment - 1) & ~(Alignment - 1);

    /// <summary>Bytes from an entry to the next in its segment.</summary>
    public static int SizeOf(EntryHeader* at) => SizeOf(at->KeyLength, at->ValueLength + Tail(at).Length);

    /// <summary>When nothing is left of it, not even for who takes what is stale. Stable as <see cref="ExpiresAtMs"/> is.</summary>
    public static long GoneAtMs(EntryHeader* at) => at->ExpiresAtMs + (at->HasTail ? EntryTail.StaleMs(Tail(at)) : 0);

    /// <summary>Writes an entry that is not published yet.</summary>
    /// <param name="at">Where.</param>
    /// <param name="spaceId">The space of the key.</param>
    /// <param name="expiresAtMs">When it expires.</param>
    /// <param name="frequency">Hits that it begins with.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="isFixed">Whether the value will stay as it is; ignored for a handle and for a value too long to be copied out.</param>
    /// <param name="type">What the item holds.</param>
    /// <param name="tail">Its <see cref="EntryTail"/>, or nothing; with one, the value is fixed.</param>
    public static void Write(
        EntryHeader* at,
        int spaceId,
        long expiresAtMs,
        byte frequency,
        ReadOnlySpan<byte> key,
        ReadOnlySpan<byte> value,
        bool isFixed,
        ItemType type,
        ReadOnlySpan<byte> tail)
    {
        at->WheelNext = 0;
        at->WheelPrevious = 0;
        at->_expiryAndSpace = ((ulong)expiresAtMs << ExpiryShift) | ((uint)type << TypeShift) | (tail.IsEmpty ? 0 : TailBit) | (uint)spaceId;
        at->_state = (uint)key.Length & LowKeyLengthMask;
        bool stays = isFixed || !at->IsPlain || value.Length > MaxCopiedValueBytes;
        at->_lengths = (uint)value.Length | ((uint)frequency << 24) | ((uint)key.Length >> LowKeyLengthBits << 26) | (stays ? 0 : OverwritableBit);
        byte* bytes = (byte*)(at + 1);
        key.CopyTo(new Span<byte>(bytes, key.Length));
        value.CopyTo(new Span<byte>(bytes + key.Length, value.Length));
        tail.CopyTo(new Span<byte>(bytes + key.Length + value.Length, tail.Length));
    }

    /// <summary>Writes a copy of an entry whose lock is held: unlocked, and not yet changed.</summary>
    public static void WriteCopy(EntryHeader* at, EntryHeader* from, byte frequency)
    {
        int size = SizeOf(from);
        Buffer.MemoryCopy(from, at, size, size);
        at->_state = from->_state & LowKeyLengthMask;
        at->Frequency = frequency;
    }

    public static ReadOnlySpan<byte> Key(EntryHeader* at) => new(at + 1, at->KeyLength);

    /// <summary>The value. Stable only where <see cref="IsFixed"/>, or for who holds the entry's lock.</summary>
    public static ReadOnlySpan<byte> Value(EntryHeader* at) => new((byte*)(at + 1) + at->KeyLength, at->ValueLength);

    /// <summary>What stands behind the value, and never changes: an <see cref="EntryTail"/>, or nothing.</summary>
    public static ReadOnlySpan<byte> Tail(EntryHeader* at)
    {
        if (!at->HasTail)
        {
            return default;
        }

        byte* tail = (byte*)(at + 1) + at->KeyLength + at->ValueLength;
        return new ReadOnlySpan<byte>(tail, EntryTail.LengthOf(*tail));
    }

    /// <summary>Counts a hit. Two at once may count as one: the policy does not mind, and no reader waits.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Touch(EntryHeader* at)
    {
        byte present = at->_frequencyAndKeyLength;
        if ((present & MaxFrequency) != MaxFrequency)
        {
            at->_frequencyAndKeyLength = (byte)(present + 1);
        }
    }
}
