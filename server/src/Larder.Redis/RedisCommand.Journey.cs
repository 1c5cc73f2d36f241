using Larder.Wire;

namespace Larder.Redis;

/// <content>What the store keeps of a command on its way.</content>
public abstract partial class RedisCommand
{
    /// <summary>The script that it runs; null for none.</summary>
    internal RedisScript? Script { get; private set; }

    /// <summary>Where it is sent by its source as the engine does not have the script.</summary>
    internal bool SendsScriptText { get; set; }

    /// <summary>Redirects followed.</summary>
    internal int Redirects { get; set; }

    /// <summary>Times sent again for another reason.</summary>
    internal int Retries { get; set; }

    /// <summary>When it first had to wait: a timestamp; 0 before.</summary>
    internal long FirstTroubleAt { get; set; }

    /// <summary>When it is due to be sent again: a timestamp.</summary>
    internal long DueAt { get; set; }

    /// <summary>The node that it is for, where its caller chose one.</summary>
    internal RedisNode? Pinned { get; set; }

    /// <summary>The node that it was redirected to by ASK; null for that of its slot.</summary>
    internal RedisNode? AskedOf { get; set; }

    /// <summary>What was last said of it by the engine or the system, for the failure that it may end with.</summary>
    internal string? LastWords { get; set; }

    /// <summary>Whether it fails where another would wait and be sent again.</summary>
    internal bool IsOnce { get; set; }

    /// <summary>Whether an attempt of it was sent and never answered.</summary>
    internal bool MayHaveRun { get; set; }

    /// <summary>Whether it is read on a connection that the node tracks.</summary>
    internal ReadTracking Tracking { get; set; }

    /// <summary>Whether it is preceded by a question for the key's time to live, as it is sent now.</summary>
    internal bool AsksTtl => Tracking == ReadTracking.Given;

    /// <summary>Bytes that it takes on the wire as it is sent now.</summary>
    internal int WireBytes => EncodedBytes + (SendsScriptText ? Script!.Text.Length : 0) + (AsksTtl ? EncodedBytes : 0);

    /// <summary>Writes it into a connection's buffer.</summary>
    /// <exception cref="InvalidOperationException">It has fewer arguments than it was begun with.</exception>
    internal void WriteTo(PooledBuffer buffer)
    {
        if (Script is { } script && SendsScriptText)
        {
            // The same arguments behind another head.
            RespWriter.WriteArray(buffer, _arguments);
            RespWriter.WriteBytes(buffer, "EVAL"u8);
            RespWriter.WriteBytes(buffer, script.Text);
            RespWriter.WriteRaw(buffer, _encoded.WrittenSpan[_afterHead..]);
            return;
        }

        RespWriter.WriteRaw(buffer, _encoded.WrittenSpan);
    }

    /// <summary>Writes the question for the key's time to live into a connection's buffer.</summary>
    internal void WriteTtlQuestion(PooledBuffer buffer)
    {
        RespWriter.WriteRaw(buffer, TtlQuestion.Head);
        RespWriter.WriteRaw(buffer, _encoded.WrittenSpan[_afterHead..]);
    }

    /// <summary>Fails where fewer arguments were added than announced: the connection would wait for the rest.</summary>
    internal void CheckWhole()
    {
        if (_left != 0 || _encoded.Written == 0)
        {
            throw new InvalidOperationException("A command has fewer arguments than it was begun with.");
        }
    }

    /// <summary>Gives back what a large one took; after it the command is the caller's again.</summary>
    internal void Release() => _encoded.Reset(KeptBytes);

    private void ResetJourney()
    {
        SendsScriptText = false;
        Redirects = 0;
        Retries = 0;
        FirstTroubleAt = 0;
        DueAt = 0;
        Pinned = null;
        AskedOf = null;
        LastWords = null;
        IsOnce = false;
        MayHaveRun = false;
        Tracking = ReadTracking.None;
    }
}
