using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;
using Larder.Wire.Protobuf;

namespace Larder.Server.Fleet;

/// <summary>A keys-exist: a bool for each key, in the request's order.</summary>
internal sealed class KeysExistJoin : RemoteJoin
{
    // KeysExistResponse.exists, packed: one byte each.
    private const int Exists = 1;

    private readonly byte[] _exist;
    private int _position;

    /// <param name="whole">The call; its request is kept and was checked.</param>
    public KeysExistJoin(RemoteCommand whole)
        : base(whole)
    {
        KeysExistCall.CountKeys(whole.Request.Span, out int count);
        _exist = count == 0 ? [] : new byte[count];
    }

    public override int AnswerBytes => _exist.Length;

    protected override bool BeginNext(RemoteCommand part)
    {
        if (!BatchItems.TryNext(Whole.Request.Span, ref _position, out ReadOnlySpan<byte> key))
        {
            return false;
        }

        part.Begin("EXISTS"u8, key);
        return true;
    }

    protected override void Take(int index, ref RespReader reply) => _exist[index] = (byte)reply.Integer;

    protected override CallError? Write(IBufferWriter<byte> response)
    {
        if (_exist.Length > 0)
        {
            int length = ProtoWriter.BytesFieldLength(Exists, _exist.Length);
            ProtoWriter writer = new(response.GetSpan(length));
            writer.WriteBytesField(Exists, _exist);
            response.Advance(length);
        }

        return null;
    }
}
