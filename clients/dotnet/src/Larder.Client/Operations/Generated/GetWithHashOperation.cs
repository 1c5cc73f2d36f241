// Written by tools/operations from protocol/operations.toml and protocol/proto; not edited by hand.
using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal sealed class GetWithHashOperation(CacheBytes key) : IOperation<GetWithHashOperation, LookupResult<HashedValue>>
{
    public static OperationInfo Info => OperationTable.GetWithHash;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.Measure(1, key);

    public void Write(ref ProtoWriter writer)
    {
        Field.Write(ref writer, 1, key);
    }

    public static LookupResult<HashedValue> Decode(ReadOnlySpan<byte> payload) => Answer.ReadOutcome(payload, out ReadOnlySpan<byte> content) switch
    {
        1 => LookupResult<HashedValue>.Hit(new HashedValue(Answer.ReadBytes(content, 1).ToArray(), Answer.ReadBytes(content, 2).ToArray())),
        2 => LookupResult<HashedValue>.Miss,
        _ => throw Answer.Unexpected("getWithHash"),
    };

    public static LookupResult<HashedValue> Fail(CacheError error) => LookupResult<HashedValue>.Failed(error);
}
