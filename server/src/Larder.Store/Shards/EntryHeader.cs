using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>
/// The header before each entry's key and value: 24 bytes, aligned to 4. Key, lengths and space never change after the entry is published. The wheel links
/// change under the shard's lock. Any thread may change the frequency, without ordering. The expiry, and the bytes of a value that is not fixed, change under
/// the entry's own lock (EntryHeader.Change.cs).
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes, Pack = 4)]
internal unsafe partial struct EntryHeader
{
    public const int Bytes = 24;

    /// <summary>Alignment of entries, and the unit of addresses.</summary>
    public const int Alignment = 4;

    /// <summary>Maximum hit count; further hits do not matter to the eviction policy.</summary>
    public const byte MaxFrequency = 3;

    // 8,388,607 bytes: more than the maximum item size of any store.
    private const uint LengthMask = 0x7F_FFFF;

    // The low bits of the key's length. The other bits are stored next to the frequency, to leave space for the version here.
    private const int LowKeyLengthBits = 17;
    private const uint LowKeyLengthMask = (1 << LowKeyLengthBits) - 1;
    // 1,048,576 spaces: ten times the maximum number of caches.
    private const int SpaceBits = 20;
    private const uint TailBit = 1u << SpaceBits;
    private const int TypeShift = SpaceBits + 1;
    private const int ExpiryShift = 24;
    private const ulong TypeMask = (1ul << ExpiryShift) - (1ul << TypeShift);

    [FieldOffset(0)]
    public uint WheelNext;

    [FieldOffset(4)]
    public uint WheelPrevious;

    // Upper 40 bits: expiry in ms (34 years). Then 3 bits: the item's type; 1 bit: whether it has a tail; lower 20 bits: the space's id.
    [FieldOffset(8)]
    private ulong _expiryAndSpace;

    // Lower 17 bits: low bits of the key's length. Above: whether the entry is removed, locked or changing, and its version.
    [FieldOffset(16)]
    private uint _state;

    // Lower 23 bits: the value's length; above them whether it may be overwritten. The upper byte is the field below.
    [FieldOffset(20)]
    private uint _lengths;

    // Lower 2 bits: the frequency. Upper 6 bits: high bits of the key's length, so every thread that writes the byte writes the same ones.
    [FieldOffset(23)]
    private byte _frequencyAndKeyLength;

    public readonly int KeyLength => (int)((_state & LowKeyLengthMask) | ((_lengths >> 26) << LowKeyLengthBits));

    public readonly int ValueLength => (int)(_lengths & LengthMask);

    /// <summary>Hits since the entry was last considered for eviction, up to <see cref="MaxFrequency"/>.</summary>
    public byte Frequency
    {
        readonly get => (byte)(_frequencyAndKeyLength & MaxFrequency);
        set => _frequencyAndKeyLength = (byte)((_frequencyAndKeyLength & ~MaxFrequency) | value);
    }

    public readonly int SpaceId => (int)(_expiryAndSpace & ((1 << SpaceBits) - 1));

    /// <summary>The type of the item. A collection's value is a pointer to its root, and is fixed.</summary>
    public readonly ItemType Type => (ItemType)((_expiryAndSpace & TypeMask) >> TypeShift);

    /// <summary>Whether the item is a scalar without a tail, so that only its expiry and value matter.</summary>
    public readonly bool IsPlain => (_expiryAndSpace & (TypeMask | TailBit)) == 0;

    /// <summary>Whether the value is followed by an <see cref="EntryTail"/>.</summary>
    public readonly bool HasTail => (_expiryAndSpace & TailBit) != 0;

    /// <summary>The expiry time. Stable only while the caller holds the entry's lock; otherwise use <see cref="ReadExpiry"/>.</summary>
    public readonly long ExpiresAtMs => (long)(_expiryAndSpace >> ExpiryShift);

    /// <summary>Whether the entry was removed or replaced. Its bytes stay until the segment is reclaimed.</summary>
    public readonly bool Dead => (_state & DeadBit) != 0;

    public static int SizeOf(int keyLength, int valueLength) => (Bytes + keyLength + valueLength + Alignment - 1) & ~(Alignment - 1);

    /// <summary>Returns the bytes from this entry to the next one in its segment.</summary>
    public static int SizeOf(EntryHeader* at) => SizeOf(at->KeyLength, at->ValueLength + Tail(at).Length);

    /// <summary>Returns when the entry cannot even be served stale any more. Stable only while the caller holds the entry's lock.</summary>
    public static long GoneAtMs(EntryHeader* at) => at->ExpiresAtMs + (at->HasTail ? EntryTail.StaleMs(Tail(at)) : 0);

    /// <summary>Writes an entry that is not published yet.</summary>
    /// <param name="at">The address of the entry.</param>
    /// <param name="spaceId">The key's space.</param>
    /// <param name="expiresAtMs">The expiry time.</param>
    /// <param name="frequency">The initial number of hits.</param>
    /// <param name="key">The key.</param>
    /// <param name="value">The value.</param>
    /// <param name="isFixed">Whether the value is fixed. Collections and values that are too long to be copied are always fixed.</param>
    /// <param name="type">The type of the item.</param>
    /// <param name="tail">The entry's <see cref="EntryTail"/>; empty for none. A value with a tail is fixed.</param>
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

    /// <summary>Writes a copy of an entry whose lock the caller holds. The copy is unlocked and has its first version.</summary>
    public static void WriteCopy(EntryHeader* at, EntryHeader* from, byte frequency)
    {
        int size = SizeOf(from);
        Buffer.MemoryCopy(from, at, size, size);
        at->_state = from->_state & LowKeyLengthMask;
        at->Frequency = frequency;
    }

    public static ReadOnlySpan<byte> Key(EntryHeader* at) => new(at + 1, at->KeyLength);

    /// <summary>Returns the value. It is stable only if <see cref="IsFixed"/> is set or the caller holds the entry's lock.</summary>
    public static ReadOnlySpan<byte> Value(EntryHeader* at) => new((byte*)(at + 1) + at->KeyLength, at->ValueLength);

    /// <summary>Returns the <see cref="EntryTail"/> after the value, or nothing. It never changes.</summary>
    public static ReadOnlySpan<byte> Tail(EntryHeader* at)
    {
        if (!at->HasTail)
        {
            return default;
        }

        byte* tail = (byte*)(at + 1) + at->KeyLength + at->ValueLength;
        return new ReadOnlySpan<byte>(tail, EntryTail.LengthOf(*tail));
    }

    /// <summary>Counts a hit. Two concurrent hits may count as one; that does not matter to the policy, and no reader waits.</summary>
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
