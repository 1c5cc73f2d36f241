// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class DictionaryLengthOperation(CacheBytes name) : IOperation<DictionaryLengthOperation, DictionaryLengthResponse>
{
    public static OperationInfo Info => OperationTable.DictionaryLength;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static DictionaryLengthResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new DictionaryLengthResponse.Hit(Answer.ReadInt(content, 1)),
        2 => DictionaryLengthResponse.Miss.Instance,
        _ => throw Answer.Unexpected("dictionaryLength"),
    };

    public static DictionaryLengthResponse Fail(CacheError error) => new DictionaryLengthResponse.Error(error);
}
