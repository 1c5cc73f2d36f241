namespace Larder.Server;

/// <summary>The format of the process's log. Each line contains the time, level and event number.</summary>
public enum LogFormat
{
    /// <summary>Text on a terminal, JSON if the log is redirected.</summary>
    Automatic,

    /// <summary>One JSON object per line.</summary>
    Json,

    /// <summary>One line of text per message.</summary>
    Text,
}
