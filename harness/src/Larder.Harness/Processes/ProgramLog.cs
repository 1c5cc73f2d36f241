using System.Text;

namespace Larder.Harness.Processes;

/// <summary>Contains the last <see cref="MaxCharacters"/> characters that a program wrote to stderr.</summary>
internal sealed class ProgramLog
{
    // The maximum number of characters. It is larger than the output that any test reads. 4 Mi characters of 2 bytes need 8 MiB.
    private const int MaxCharacters = 1 << 22;

    private readonly StringBuilder _text = new();

    /// <summary>Starts to read the stderr of a program.</summary>
    public ProgramLog(StreamReader errors) => Ended = ReadAsync(errors);

    /// <summary>Completes when the program has closed its stderr, and every other process that shares this stderr has also closed it.</summary>
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
