namespace Larder.Wire;

/// <summary>How a call ended: a code, and a message for the reader of a log.</summary>
/// <param name="Code">The code to act on.</param>
/// <param name="Message">What went wrong, any Unicode text; empty where there is nothing to say.</param>
public readonly record struct Status(StatusCode Code, string Message)
{
    /// <summary>Success, without a message.</summary>
    public static Status Ok => new(StatusCode.Ok, "");

    /// <summary>True for success.</summary>
    public bool IsOk => Code == StatusCode.Ok;
}
