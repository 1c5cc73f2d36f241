using Larder.Client.Near;
using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

/// <summary>The operation KeysExist for one key. It does not allocate arrays.</summary>
internal sealed class KeyExistsOperation(CacheBytes key) : IOperation<KeyExistsOperation, CacheResult<bool>>
{
    public static OperationInfo Info => OperationTable.KeyExists;

    public int KeyLength => key.Length;

    public void EndCopies(NearReads near, string cache) => near.Ended(cache, key);

    public int Measure() => Field.MeasureKey(key);

    public void Write(ref ProtoWriter writer) => Field.Write(ref writer, Field.Key, key);

    public static CacheResult<bool> Decode(ReadOnlySpan<byte> payload)
    {
        bool[] exists = Answer.ReadFlags(payload, 1);
        return exists.Length == 1 ? BooleanResults.Success(exists[0]) : throw Answer.Unexpected("keyExists");
    }

    public static CacheResult<bool> Fail(CacheError error) => CacheResult<bool>.Failed(error);
}
