using System.Text;

namespace Larder.Harness.Processes;

/// <summary>The last part of what a program wrote to stderr, at most <see cref="MaxCharacters"/>.</summary>
internal sealed class ProgramLog
{
    // More than any test reads: 4 Mi characters of 2 bytes are 8 MiB.
    private const int MaxCharacters = 1 << 22;

    private readonly StringBuilder _text = new();

    /// <summary>Starts reading.</summary>
    public ProgramLog(StreamReader errors) => Ended = ReadAsync(errors);

    /// <summary>Completes when the program, and every other process that shares its stderr, has closed it.</summary>
    public Task Ended { get; }

    /// <inheritdoc/>
    public override string ToString()
    {
        lock (_text)
        {
            return _text.ToString();
        }
    }

    private async Task ReadAsync(StreamReader errors)
    {
        char[] buffer = new char[4096];
        try
        {
            int read;
            while ((read = await errors.ReadAsync(buffer).ConfigureAwait(false)) > 0)
            {
                lock (_text)
                {
                    _text.Append(buffer, 0, read);
                    _text.Remove(0, Math.Max(0, _text.Length - MaxCharacters));
                }
            }
        }
        catch (Exception closed) when (closed is IOException or ObjectDisposedException)
        {
            // The process has been disposed.
        }
    }
}
