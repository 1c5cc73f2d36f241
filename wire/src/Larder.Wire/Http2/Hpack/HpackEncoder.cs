namespace Larder.Wire.Http2.Hpack;

/// <summary>
/// Encodes the header blocks of one connection.
/// <para>
/// Design. Calls repeat their fields, including the token. So each field is indexed at its first use, and takes one byte afterwards. No field is ever evicted.
/// When the server's table is full, further fields are sent as literals. So an index changes only when a field is added, and an encoded block can be reused for
/// many calls (<see cref="HeaderBlock"/>).
/// </para>
/// </summary>
internal sealed class HpackEncoder
{
    /// <summary>
    /// The size of the server's table, in bytes, until the server changes it (RFC 9113, section 6.5.2). If the server allows a larger table, only this size is
    /// used.
    /// </summary>
    public const int DefaultTableSize = 4096;

    private readonly Dictionary<(string Name, string Value), int> _fields = [];
    private readonly Dictionary<string, int> _names = new(StringComparer.Ordinal);
    private int _maxSize = DefaultTableSize;
    private int _size;
    private bool _announcesSize;

    /// <summary>Gets the number of fields in the table. A block that was encoded when this number was different is out of date.</summary>
    public int Count { get; private set; }

    /// <summary>Gets the generation of the table, which increases each time the table is emptied. Indexes of earlier generations are invalid.</summary>
    public int Generation { get; private set; }

    /// <summary>Gets whether the next block must begin with <see cref="WriteTableSize"/>.</summary>
    public bool MustAnnounceSize => _announcesSize;

    /// <summary>Applies a change of the server's table size. If the usable size changes, the table is emptied.</summary>
    public void Resize(long serverMaxSize)
    {
        int size = (int)Math.Min(serverMaxSize, DefaultTableSize);
        if (size == _maxSize)
        {
            return;
        }

        _maxSize = size;
        _fields.Clear();
        _names.Clear();
        _size = 0;
        Count = 0;
        Generation++;
        _announcesSize = true;
    }

    /// <summary>Writes the announcement that the table was emptied, and the new size of the table (RFC 7541, section 4.2).</summary>
    public void WriteTableSize(PooledBuffer destination)
    {
        HpackWriter.WriteInteger(destination, HpackWriter.TableSize, 5, 0);
        HpackWriter.WriteInteger(destination, HpackWriter.TableSize, 5, _maxSize);
        _announcesSize = false;
    }

    /// <summary>Writes a field that calls repeat. The field is indexed if the table has space for it.</summary>
    public void Write(PooledBuffer destination, string name, string value)
    {
        if (TryFind(name, value, out int index))
        {
            HpackWriter.WriteInteger(destination, HpackWriter.Indexed, 7, index);
            return;
        }

        int nameIndex = IndexOf(name);
        bool isIndexed = TryAdd(name, value);
        HpackWriter.WriteInteger(destination, isIndexed ? HpackWriter.LiteralWithIndexing : HpackWriter.LiteralWithoutIndexing, isIndexed ? 6 : 4, nameIndex);
        if (nameIndex == 0)
        {
            HpackWriter.WriteString(destination, name);
        }

        HpackWriter.WriteString(destination, value);
    }

    /// <summary>
    /// Writes a field whose value varies. The first value is indexed, because this also indexes the name, and because the value often recurs. Other values are
    /// sent as literals.
    /// </summary>
    public void WriteVarying(PooledBuffer destination, string name, string value)
    {
        int nameIndex = IndexOf(name);
        if (nameIndex == 0 || TryFind(name, value, out _))
        {
            Write(destination, name, value);
            return;
        }

        HpackWriter.WriteInteger(destination, HpackWriter.LiteralWithoutIndexing, 4, nameIndex);
        HpackWriter.WriteString(destination, value);
    }

    private bool TryFind(string name, string value, out int index)
    {
        if (_fields.TryGetValue((name, value), out int number))
        {
            index = IndexAt(number);
            return true;
        }

        index = HpackStaticTable.Find(name, value);
        return index > 0;
    }

    private int IndexOf(string name) => _names.TryGetValue(name, out int number) ? IndexAt(number) : HpackStaticTable.FindName(name);

    // The newest dynamic field has the lowest index, directly after the static fields.
    private int IndexAt(int number) => HpackStaticTable.Count + Count - number;

    private bool TryAdd(string name, string value)
    {
        int size = name.Length + value.Length + 32;
        if (_size + size > _maxSize)
        {
            return false;
        }

        _size += size;
        _fields[(name, value)] = Count;
        _names.TryAdd(name, Count);
        Count++;
        return true;
    }
}
