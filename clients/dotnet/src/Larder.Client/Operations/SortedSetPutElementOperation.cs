using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>The operation SortedSetPut for one element. It does not allocate an array.</summary>
internal readonly struct SortedSetPutElementOperation(
    CacheBytes name,
    SortedSetElement element,
    WireTtl ttl) : IOperation<SortedSetPutElementOperation, CacheResult>
{
    private readonly CacheBytes _name = name;
    private readonly SortedSetElement _element = element;
    private readonly WireTtl _ttl = ttl;

    public static OperationInfo Info => OperationTable.SortedSetPutElement;

    public int KeyLength => _name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, _name);

    public int Measure() => Field.Measure(1, _name) + Field.Measure(2, _element) + Field.MeasureTtl(3, _ttl);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, _name);
        Field.Write(ref writer, 2, _element);
        Field.WriteTtl(ref writer, 3, 4, _ttl);
    }

    public static CacheResult Decode(ReadOnlySpan<byte> payload) => SortedSetPutOperation.Decode(payload);

    public static CacheResult Fail(CacheError error) => SortedSetPutOperation.Fail(error);
}
