using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>DictionaryGet for one field, without allocating arrays.</summary>
internal readonly struct DictionaryGetFieldOperation(CacheBytes name, CacheBytes field) : IOperation<DictionaryGetFieldOperation, DictionaryGetFieldResponse>
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

    public static DictionaryGetFieldResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => Answer.ReadPart(content, out ReadOnlySpan<byte> part)
            ? new DictionaryGetFieldResponse.Hit(Answer.ReadBytes(part, 2).ToArray())
            : DictionaryGetFieldResponse.Miss.Instance,
        2 => DictionaryGetFieldResponse.Miss.Instance,
        _ => throw Answer.Unexpected("dictionaryGet"),
    };

    public static DictionaryGetFieldResponse Fail(CacheError error) => new DictionaryGetFieldResponse.Error(error);
}
