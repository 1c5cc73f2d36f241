// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class SetLengthOperation(CacheBytes name) : IOperation<SetLengthOperation, SetLengthResponse>
{
    public static OperationInfo Info => OperationTable.SetLength;

    public int KeyLength => name.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, name);

    public int Measure() => Field.Measure(1, name);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, name);
    }

    public static SetLengthResponse Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => new SetLengthResponse.Hit(Answer.ReadInt(content, 1)),
        2 => SetLengthResponse.Miss.Instance,
        _ => throw Answer.Unexpected("setLength"),
    };

    public static SetLengthResponse Fail(CacheError error) => new SetLengthResponse.Error(error);
}
