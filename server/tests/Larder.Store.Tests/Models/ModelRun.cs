using System.Buffers;
using System.Globalization;
using System.Text;

namespace Larder.Store.Tests;

/// <summary>
/// Applies each step to a store and to a dictionary, and compares the responses. The store has enough memory that nothing is evicted, so the responses must be
/// identical.
/// </summary>
internal sealed class ModelRun(long maxMemoryBytes) : IDisposable
{
    private readonly StoreFixture _fixture = new(maxMemoryBytes);
    private readonly Dictionary<int, (string Value, long ExpiresAtMs)> _model = [];
    private readonly ArrayBufferWriter<byte> _buffer = new();
    private long _nowMs;

    private Cache Cache => _fixture.Cache;

    public void AssertValid()
    {
        _fixture.Store.AssertValid();
        Assert.Equal(0, _fixture.Store.GetStatistics().Evictions.Memory);
    }

    public void Apply(ModelStep step)
    {
        byte[] key = StoreFixture.Bytes($"key-{step.Key}");
        (string Value, long ExpiresAtMs)? held =
            _model.TryGetValue(step.Key, out (string Value, long ExpiresAtMs) found) && found.ExpiresAtMs > _nowMs ? found : null;
        switch (step.Kind)
        {
            case ModelStepKind.Get:
                _buffer.ResetWrittenCount();
                Assert.Equal(held?.Value, Cache.TryGet(key, _buffer) ? Encoding.UTF8.GetString(_buffer.WrittenSpan) : null);
                break;
            case ModelStepKind.Set:
                Store(step, key, ValueOf(step));
                break;
            case ModelStepKind.SetIf:
                SetIf(step, key, held?.Value);
                break;
            case ModelStepKind.Delete:
                Assert.Equal(held is not null, Cache.Delete(key));
                _model.Remove(step.Key);
                break;
            case ModelStepKind.Increment:
                Increment(step, key, held?.Value);
                break;
            case ModelStepKind.UpdateTtl:
                UpdateTtl(step, key, held);
                break;
            case ModelStepKind.GetTtl:
                Assert.Equal(held is not null, Cache.TryGetTtl(key, out long left));
                Assert.Equal(held is null ? 0 : Math.Max(held.Value.ExpiresAtMs - _nowMs - 1, 0), left);
                break;
            case ModelStepKind.Contains:
                Assert.Equal(held is not null, Cache.Contains(key));
                break;
            case ModelStepKind.Advance:
                _nowMs += step.TtlMs;
                _fixture.Clock.AdvanceMs(step.TtlMs);
                _fixture.Store.Maintain();
                break;
            case ModelStepKind.Flush:
                _fixture.Store.FlushCache("cache");
                _model.Clear();
                break;
        }
    }

    public void Dispose()
    {
        AssertValid();
        _fixture.Dispose();
    }

    private static string ValueOf(ModelStep step) => (step.Operand % 4) switch
    {
        0 => step.Operand.ToString(CultureInfo.InvariantCulture),
        1 => new string('v', step.Operand % 400),
        2 => "",
        _ => $"value-{step.Operand % 8}",
    };

    private void Store(ModelStep step, byte[] key, string value)
    {
        Cache.Set(key, StoreFixture.Bytes(value), step.TtlMs);
        _model[step.Key] = (value, _nowMs + step.TtlMs);
    }

    private void SetIf(ModelStep step, byte[] key, string? held)
    {
        string value = ValueOf(step);
        byte[] operand = StoreFixture.Bytes(ValueOf(step with { Operand = step.Operand ^ 3 }));
        string operandText = Encoding.UTF8.GetString(operand);
        (bool stores, bool stored) = (step.Operand % 6) switch
        {
            0 => (held is not null, Cache.SetIf(key, StoreFixture.Bytes(value), step.TtlMs, SetCondition.Present)),
            1 => (held is null, Cache.SetIf(key, StoreFixture.Bytes(value), step.TtlMs, SetCondition.Absent)),
            2 => (held == operandText, Cache.SetIf(key, StoreFixture.Bytes(value), step.TtlMs, SetCondition.Equal(operand))),
            3 => (held is null || held == operandText, Cache.SetIf(key, StoreFixture.Bytes(value), step.TtlMs, SetCondition.AbsentOrEqual(operand))),
            4 => (held != operandText, Cache.SetIf(key, StoreFixture.Bytes(value), step.TtlMs, SetCondition.NotEqual(operand))),
            _ => (held is not null && held != operandText, Cache.SetIf(key, StoreFixture.Bytes(value), step.TtlMs, SetCondition.PresentAndNotEqual(operand))),
        };
        Assert.Equal(stores, stored);
        if (stored)
        {
            _model[step.Key] = (value, _nowMs + step.TtlMs);
        }
    }

    private void Increment(ModelStep step, byte[] key, string? held)
    {
        long before = 0;
        bool integer = held is null || long.TryParse(held, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out before);
        IncrementOutcome outcome = Cache.Increment(key, step.Operand, step.TtlMs, out long value);
        Assert.Equal(integer ? IncrementOutcome.Ok : IncrementOutcome.NotAnInteger, outcome);
        if (integer)
        {
            Assert.Equal(before + step.Operand, value);
            _model[step.Key] = (value.ToString(CultureInfo.InvariantCulture), _nowMs + step.TtlMs);
        }
    }

    private void UpdateTtl(ModelStep step, byte[] key, (string Value, long ExpiresAtMs)? held)
    {
        var kind = (TtlUpdate)(step.Operand % 3);
        long expiresAtMs = _nowMs + step.TtlMs;
        bool applies = held is { } entry && kind switch
        {
            TtlUpdate.IncreaseTo => expiresAtMs > entry.ExpiresAtMs,
            TtlUpdate.DecreaseTo => expiresAtMs < entry.ExpiresAtMs,
            _ => true,
        };
        TtlUpdateOutcome expected = held is null ? TtlUpdateOutcome.Missing : applies ? TtlUpdateOutcome.Set : TtlUpdateOutcome.NotSet;
        Assert.Equal(expected, Cache.UpdateTtl(key, kind, step.TtlMs));
        if (applies)
        {
            _model[step.Key] = (held!.Value.Value, expiresAtMs);
        }
    }
}
