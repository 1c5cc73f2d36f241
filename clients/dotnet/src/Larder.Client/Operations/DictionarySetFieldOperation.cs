using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>The operation DictionarySet for one field. It does not allocate an array.</summary>
internal readonly struct DictionarySetFieldOperation(
    CacheBytes name,
    DictionaryItem item,
    WireTtl ttl) : IOperation<DictionarySetFieldOperation, CacheResult>
{
    private readonly CacheBytes _name = name;
    private readonly DictionaryItem _item = item;
    private readonly WireTtl _ttl = ttl;

    public static OperationInfo Info => OperationTable.DictionarySetField;

    public int KeyLength => _name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, _name);

    public int Measure() => Field.Measure(1, _name) + Field.Measure(2, _item) + Field.MeasureTtl(3, _ttl);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, _name);
        Field.Write(ref writer, 2, _item);
        Field.WriteTtl(ref writer, 3, 4, _ttl);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload) => DictionarySetOperation.Decode(payload);

    public static CacheResult Fail(CacheError error) => DictionarySetOperation.Fail(error);
}
