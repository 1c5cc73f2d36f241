namespace Larder.Server;

/// <summary>The format of the server's log. Each line contains the time, level and event number.</summary>
public enum LogFormat
{
    /// <summary>Uses text on a terminal, and JSON if the log is redirected.</summary>
    Automatic,

    /// <summary>Writes one JSON object per line.</summary>
    Json,

    /// <summary>Writes one line of text per message.</summary>
    Text,
}
