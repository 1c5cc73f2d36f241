using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>The operation DictionaryGet for one field. It does not allocate arrays.</summary>
internal readonly struct DictionaryGetFieldOperation(CacheBytes name, CacheBytes field) : IOperation<DictionaryGetFieldOperation, LookupResult<CacheValue>>
{
    private readonly CacheBytes _name = name;
    private readonly CacheBytes _field = field;

    public static OperationInfo Info => OperationTable.DictionaryGetField;

    public int KeyLength => _name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, _name);

    public int Measure() => Field.Measure(1, _name) + Field.Measure(2, _field);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, _name);
        Field.Write(ref writer, 2, _field);
    }

    public static LookupResult<CacheValue> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => Answer.ReadPart(content, out ReadOnlySpan<byte> part)
            ? new ItemHit(Answer.ReadBytes(part, 2).ToArray())
            : LookupResult<CacheValue>.Miss,
        2 => LookupResult<CacheValue>.Miss,
        _ => throw Answer.Unexpected("dictionaryGet"),
    };

    public static LookupResult<CacheValue> Fail(CacheError error) => LookupResult<CacheValue>.Failed(error);
}
