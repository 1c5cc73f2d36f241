using System.Buffers;
using System.Buffers.Text;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>
/// Runs Increment as a script, so that the counter and its TTL change in one step. The script returns the new value as text, because numbers in Lua are doubles
/// and cannot represent every 64-bit integer.
/// </summary>
internal sealed class RemoteIncrement() : RemoteCall(isIdempotent: false)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = IncrementFields.Decode(request, out IncrementFields fields) ?? command.Target.Rules.CheckItem(fields.Key, default, fields.TtlMs);
        if (error is null)
        {
            command.Begin(FleetScripts.Increment, fields.Key, 3);
            command.Add(fields.Amount);
            command.Add((long)fields.TtlMs);
            command.Add(fields.KeepTtl ? 1 : 0);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        if (!Utf8Parser.TryParse(reply.Bytes, out long value, out _))
        {
            return FleetErrors.Unexpected;
        }

        IncrementAnswer.Success(response, value);
        return null;
    }
}
