namespace Larder.Server;

/// <summary>How the process writes its log; each line has its time, level and number.</summary>
public enum LogFormat
{
    /// <summary>Text where a person reads along, JSON where the log is redirected.</summary>
    Automatic,

    /// <summary>A JSON object a line.</summary>
    Json,

    /// <summary>A line of text.</summary>
    Text,
}
