using Larder.Wire;

namespace Larder.Redis;

/// <content>The state that the store keeps while it processes the command.</content>
public abstract partial class RedisCommand
{
    /// <summary>Gets the script that the command runs; null if the command runs no script.</summary>
    internal RedisScript? Script { get; private set; }

    /// <summary>Gets or sets whether the command sends the source of the script, because the engine does not have the script.</summary>
    internal bool SendsScriptText { get; set; }

    /// <summary>Gets or sets the number of redirects followed.</summary>
    internal int Redirects { get; set; }

    /// <summary>Gets or sets the number of retries for other reasons.</summary>
    internal int Retries { get; set; }

    /// <summary>Gets or sets the timestamp of the first time that the command had to wait; 0 if the command has not had to wait.</summary>
    internal long FirstTroubleAt { get; set; }

    /// <summary>Gets or sets the timestamp at which the command must be retried.</summary>
    internal long DueAt { get; set; }

    /// <summary>Gets or sets the node that the caller chose; null if the slot determines the node.</summary>
    internal RedisNode? Pinned { get; set; }

    /// <summary>Gets or sets the node that an ASK redirect named; null if the command is sent to the master of its slot.</summary>
    internal RedisNode? CurrentNode { get; set; }

    /// <summary>Gets or sets the text of the last error from the engine or the system. The text is used if the command fails.</summary>
    internal string? LastErrorText { get; set; }

    /// <summary>Gets or sets whether the command fails instead of waiting for a retry.</summary>
    internal bool IsOnce { get; set; }

    /// <summary>Gets or sets whether an attempt may have been sent without getting a reply.</summary>
    internal bool MayHaveRun { get; set; }

    /// <summary>Gets or sets whether tracking of the key was requested, and whether the last attempt used a tracked connection.</summary>
    internal ReadTracking Tracking { get; set; }

    /// <summary>Gets whether the next attempt sends a PTTL for the key before the command.</summary>
    internal bool AsksTtl => Tracking == ReadTracking.Given;

    /// <summary>Gets the number of bytes that the next attempt sends, including the source of the script or the PTTL if they are sent.</summary>
    internal int WireBytes => EncodedBytes + (SendsScriptText ? Script!.Text.Length : 0) + (AsksTtl ? EncodedBytes : 0);

    /// <summary>Writes the command to a connection's buffer.</summary>
    /// <exception cref="InvalidOperationException">The command has fewer arguments than announced.</exception>
    internal void WriteTo(PooledBuffer buffer)
    {
        if (Script is { } script && SendsScriptText)
        {
            // EVALSHA and EVAL have the same arguments after the first one, which is the hash or the source of the script.
            RespWriter.WriteArray(buffer, _arguments);
            RespWriter.WriteBytes(buffer, "EVAL"u8);
            RespWriter.WriteBytes(buffer, script.Text);
            RespWriter.WriteRaw(buffer, _encoded.WrittenSpan[_afterHead..]);
            return;
        }

        RespWriter.WriteRaw(buffer, _encoded.WrittenSpan);
    }

    /// <summary>Writes the query for the key's time to live to a connection's buffer.</summary>
    internal void WriteTtlQuery(PooledBuffer buffer)
    {
        RespWriter.WriteRaw(buffer, TtlQuery.Head);
        RespWriter.WriteRaw(buffer, _encoded.WrittenSpan[_afterHead..]);
    }

    /// <summary>Throws if fewer arguments were added than announced, because the engine would wait for the missing arguments.</summary>
    internal void CheckWhole()
    {
        if (_left != 0 || _encoded.Written == 0)
        {
            throw new InvalidOperationException("A command has fewer arguments than it announced.");
        }
    }

    /// <summary>Releases the memory of a large command. Afterwards, the caller may use the command again.</summary>
    internal void Release() => _encoded.Reset(KeptBytes);

    private void ResetJourney()
    {
        SendsScriptText = false;
        Redirects = 0;
        Retries = 0;
        FirstTroubleAt = 0;
        DueAt = 0;
        Pinned = null;
        CurrentNode = null;
        LastErrorText = null;
        IsOnce = false;
        MayHaveRun = false;
        Tracking = ReadTracking.None;
    }
}
