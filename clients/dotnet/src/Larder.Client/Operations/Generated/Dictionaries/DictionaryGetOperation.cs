// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionaryGetOperation(
    CacheBytes name,
    CacheBytes[] fields) : IOperation<DictionaryGetOperation, LookupResult<IReadOnlyList<CacheValue?>>>
{
    public static OperationInfo Info => OperationTable.DictionaryGet;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    private int Asked => fields.Length;

    public int Measure() => Field.Measure(1, name) + Field.Measure(2, fields);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
        Field.Write(ref writer, 2, fields);
    }

    public static LookupResult<IReadOnlyList<CacheValue?>> Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
        {
            1 => LookupResult<IReadOnlyList<CacheValue?>>.Hit(Answer.ReadParts(content, 1, 1)),
            2 => LookupResult<IReadOnlyList<CacheValue?>>.Miss,
            _ => throw Answer.Unexpected("dictionaryGet"),
        };

    public static void Require(in DictionaryGetOperation operation, LookupResult<IReadOnlyList<CacheValue?>> response) =>
        Answer.RequireCount(response, operation.Asked);

    public static LookupResult<IReadOnlyList<CacheValue?>> Fail(CacheError error) => LookupResult<IReadOnlyList<CacheValue?>>.Failed(error);
}
