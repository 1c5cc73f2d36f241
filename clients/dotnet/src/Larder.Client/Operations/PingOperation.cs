using Larder.Wire.Protobuf;

namespace Larder.Client.Operations;

internal readonly struct PingOperation : IOperation<PingOperation, PingResponse>
{
    public static OperationInfo Info { get; } = OperationInfo.ForPing();

    public int KeyLength => 0;

    public int Measure() => 0;

    public void Write(ref ProtoWriter writer)
    {
    }

    public static PingResponse Decode(ReadOnlySpan<byte> payload)
    {
        Answer.RequireWellFormed(payload);
        return PingResponse.Success.Instance;
    }

    public static PingResponse Fail(CacheError error) => new PingResponse.Error(error);
}
