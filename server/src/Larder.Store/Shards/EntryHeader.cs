using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Larder.Store;

/// <summary>
/// The header before each entry's key and value: 24 bytes, aligned to 4 bytes. The key, the lengths and the space never change after the entry is published.
/// The wheel links are changed under the shard's lock. Any thread may change the frequency, without memory ordering. The expiry, and the bytes of a value that
/// is not fixed, are changed under the entry's own lock (EntryHeader.Change.cs).
/// </summary>
[StructLayout(LayoutKind.Explicit, Size = Bytes, Pack = 4)]
internal unsafe partial struct EntryHeader
{
    public const int Bytes = 24;

    /// <summary>The alignment of entries, which is also the unit of addresses.</summary>
    public const int Alignment = 4;

    /// <summary>The maximum hit count. Further hits have no effect on the eviction policy.</summary>
    public const byte MaxFrequency = 3;

    // The maximum length of a value is 8,388,607 bytes, which is more than the maximum item size of any store.
    private const uint LengthMask = 0x7F_FFFF;

    // The number of low bits of the key's length in the state field. The other bits are stored in the same byte as the frequency, so that the state field has
    // space for the version.
    private const int LowKeyLengthBits = 17;
    private const uint LowKeyLengthMask = (1 << LowKeyLengthBits) - 1;
    // The number of bits for 1,048,576 spaces, which is ten times the maximum number of caches.
    private const int SpaceBits = 20;
    private const uint TailBit = 1u << SpaceBits;
    private const int TypeShift = SpaceBits + 1;
    private const int ExpiryShift = 24;
    private const ulong TypeMask = (1ul << ExpiryShift) - (1ul << TypeShift);

    [FieldOffset(0)]
    public uint WheelNext;

    [FieldOffset(4)]
    public uint WheelPrevious;

    // From the highest bits to the lowest: 40 bits for the expiry in ms (34 years), 3 bits for the item's type, 1 bit for whether it has a tail, and 20 bits
    // for the space's id.
    [FieldOffset(8)]
    private ulong _expiryAndSpace;

    // The lower 17 bits are the low bits of the key's length. The other bits are flags (removed, locked, changing) and the version.
    [FieldOffset(16)]
    private uint _state;

    // The lower 23 bits are the value's length. The next bit is set if the value may be overwritten. The upper byte is _frequencyAndKeyLength.
    [FieldOffset(20)]
    private uint _lengths;

    // The lower 2 bits are the frequency. The upper 6 bits are the high bits of the key's length. Every write of this byte stores the same upper bits, because
    // the length of a key never changes.
    [FieldOffset(23)]
    private byte _frequencyAndKeyLength;

    public readonly int KeyLength => (int)((_state & LowKeyLengthMask) | ((_lengths >> 26) << LowKeyLengthBits));

    public readonly int ValueLength => (int)(_lengths & LengthMask);

    /// <summary>The number of hits since the entry was last considered for eviction, up to <see cref="MaxFrequency"/>.</summary>
    public byte Frequency
    {
        readonly get => (byte)(_frequencyAndKeyLength & MaxFrequency);
        set => _frequencyAndKeyLength = (byte)((_frequencyAndKeyLength & ~MaxFrequency) | value);
    }

    public readonly int SpaceId => (int)(_expiryAndSpace & ((1 << SpaceBits) - 1));

    /// <summary>The type of the item. The value of a collection is a pointer to the collection's root, and is fixed.</summary>
    public readonly ItemType Type => (ItemType)((_expiryAndSpace & TypeMask) >> TypeShift);

    /// <summary>Whether the item is a scalar without a tail. For such an item, only the expiry and the value must be checked.</summary>
    public readonly bool IsPlain => (_expiryAndSpace & (TypeMask | TailBit)) == 0;

    /// <summary>Whether the value is followed by an <see cref="EntryTail"/>.</summary>
    public readonly bool HasTail => (_expiryAndSpace & TailBit) != 0;

    /// <summary>The expiry time. The time may change unless the caller holds the entry's lock. Without the lock, use <see cref="ReadExpiry"/>.</summary>
    public readonly long ExpiresAtMs => (long)(_expiryAndSpace >> ExpiryShift);

    /// <summary>Whether the entry was removed or replaced. Its bytes are kept until the segment is reclaimed.</summary>
    public readonly bool Dead => (_state & DeadBit) != 0;

    public static int SizeOf(int keyLength, int valueLength) => (Bytes + keyLength + valueLength + Alignment - 1) & ~(Alignment - 1);

    /// <summary>Returns the number of bytes from the start of this entry to the start of the next entry in the segment.</summary>
    public static int SizeOf(EntryHeader* at) => SizeOf(at->KeyLength, at->ValueLength + Tail(at).Length);

    /// <summary>
    /// Returns the end of the time during which the entry may be served, possibly as stale. The end may change unless the caller holds the entry's lock.
    /// </summary>
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
    /// <param name="tail">The entry's <see cref="EntryTail"/>; empty if there is no tail. A value with a tail is fixed.</param>
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

    /// <summary>Writes a copy of an entry whose lock the caller holds. The copy is unlocked and has version 0.</summary>
    public static void WriteCopy(EntryHeader* at, EntryHeader* from, byte frequency)
    {
        int size = SizeOf(from);
        Buffer.MemoryCopy(from, at, size, size);
        at->_state = from->_state & LowKeyLengthMask;
        at->Frequency = frequency;
    }

    public static ReadOnlySpan<byte> Key(EntryHeader* at) => new(at + 1, at->KeyLength);

    /// <summary>Returns the value. The value may change unless <see cref="IsFixed"/> is true or the caller holds the entry's lock.</summary>
    public static ReadOnlySpan<byte> Value(EntryHeader* at) => new((byte*)(at + 1) + at->KeyLength, at->ValueLength);

    /// <summary>Returns the <see cref="EntryTail"/> after the value; empty if there is none. The tail never changes.</summary>
    public static ReadOnlySpan<byte> Tail(EntryHeader* at)
    {
        if (!at->HasTail)
        {
            return default;
        }

        byte* tail = (byte*)(at + 1) + at->KeyLength + at->ValueLength;
        return new ReadOnlySpan<byte>(tail, EntryTail.LengthOf(new ReadOnlySpan<byte>(tail, EntryTail.MaxBytes)));
    }

    /// <summary>
    /// Counts a hit. Two concurrent hits may be counted as one. This has no significant effect on the eviction policy, and readers do not have to wait.
    /// </summary>
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
