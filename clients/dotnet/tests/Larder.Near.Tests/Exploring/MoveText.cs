using System.Runtime.CompilerServices;
using System.Text;

namespace Larder.Near.Tests.Exploring;

/// <summary>The description of a move, as an interpolated string. The string is formatted only if descriptions are requested.</summary>
[InterpolatedStringHandler]
internal readonly ref struct MoveText<TState>
    where TState : unmanaged
{
    private readonly StringBuilder? _text;

    public MoveText(int literals, int parts, Moves<TState> moves, out bool isTold)
    {
        isTold = moves.IsTold;
        _text = isTold ? new StringBuilder(literals + (16 * parts)) : null;
    }

    public void AppendLiteral(string text) => _text!.Append(text);

    public void AppendFormatted<T>(T part) => _text!.Append(part);

    public override string ToString() => _text?.ToString() ?? "";
}
