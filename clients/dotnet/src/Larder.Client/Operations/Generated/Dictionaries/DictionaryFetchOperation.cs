// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionaryFetchOperation(CacheBytes name) : IOperation<DictionaryFetchOperation, DictionaryFetchResponse>
{
    public static OperationInfo Info => OperationTable.DictionaryFetch;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static DictionaryFetchResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new DictionaryFetchResponse.Hit(Answer.ReadItems(content, 1)),
        2 => DictionaryFetchResponse.Miss.Instance,
        _ => throw Answer.Unexpected("dictionaryFetch"),
    };

    public static DictionaryFetchResponse Fail(CacheError error) => new DictionaryFetchResponse.Error(error);
}
