namespace Larder.Wire;

/// <summary>The result of a call: a code, and a message for logs.</summary>
/// <param name="Code">The status code. Programs use it to decide how to react.</param>
/// <param name="Message">The error message: any Unicode text, or empty.</param>
public readonly record struct Status(StatusCode Code, string Message)
{
    /// <summary>Gets a status that means success and has no message.</summary>
    public static Status Ok => new(StatusCode.Ok, "");

    /// <summary>Gets whether the status means success.</summary>
    public bool IsOk => Code == StatusCode.Ok;
}
