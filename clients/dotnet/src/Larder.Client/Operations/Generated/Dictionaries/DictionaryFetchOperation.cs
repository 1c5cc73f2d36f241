// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionaryFetchOperation(CacheBytes name) : IOperation<DictionaryFetchOperation, LookupResult<IReadOnlyList<DictionaryField>>>
{
    public static OperationInfo Info => OperationTable.DictionaryFetch;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static LookupResult<IReadOnlyList<DictionaryField>> Decode(ReadOnlySpan<byte> payload) =>
        Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
        {
            1 => LookupResult<IReadOnlyList<DictionaryField>>.Hit(Answer.ReadItems(content, 1)),
            2 => LookupResult<IReadOnlyList<DictionaryField>>.Miss,
            _ => throw Answer.Unexpected("dictionaryFetch"),
        };

    public static LookupResult<IReadOnlyList<DictionaryField>> Fail(CacheError error) => LookupResult<IReadOnlyList<DictionaryField>>.Failed(error);
}
