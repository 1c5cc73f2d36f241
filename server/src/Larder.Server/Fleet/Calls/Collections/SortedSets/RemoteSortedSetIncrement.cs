using System.Buffers;
using Larder.Redis;
using Larder.Server.Calls;

namespace Larder.Server.Fleet;

/// <summary>Runs SortedSetIncrement as ZINCRBY in a script.</summary>
internal sealed class RemoteSortedSetIncrement() : RemoteCall(isIdempotent: false)
{
    public override CallError? Begin(ReadOnlySpan<byte> request, RemoteCommand command)
    {
        CallError? error = ElementIncrement.Decode(request, command.Target.Rules, 0, out ElementIncrement fields)
            ?? (double.IsNaN(fields.Score) ? CollectionErrors.NoNumber : null);
        if (error is null)
        {
            command.Begin(CollectionScripts.SortedSetIncrement, fields.Name, 4);
            command.Add(fields.Element);
            command.AddScore(fields.Score);
            command.Add(fields.Ttl.TtlMs);
            command.Add(fields.Ttl.Refresh ? 1 : 0);
        }

        return error;
    }

    public override CallError? Answer(RemoteCommand command, ref RespReader reply, IBufferWriter<byte> response)
    {
        response.WriteDouble(1, ScoreReply.Of(reply));
        return null;
    }
}
